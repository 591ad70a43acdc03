/**
 * Before all tests: makes the account of the first administrator, whose link works once, and keeps its session. The tests invite others by it,
 * in any order, and so do later runs against the same family.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { acceptByApi, callsWith, firstLink, KEPT, KEPT_SECRET, person } from './staff';

export default async function acceptFirstLink(): Promise<void> {
  // A family without a back office.
  if (!process.env.E2E_FIRST_LINK) return;
  const api = await callsWith(existsSync(KEPT) ? KEPT : undefined);
  const session = await api.get('/api/session');
  const first = person('administrator');
  if (!session.ok()) await acceptByApi(api, firstLink(), first);
  await api.storageState({ path: KEPT });
  if (first.secret) writeFileSync(KEPT_SECRET, first.secret);
  await api.dispose();
}
