/**
 * Before all tests: makes the account of the first administrator, whose link works once, and keeps its session. The tests invite others by it,
 * in any order, and so do later runs against the same family.
 */
import { existsSync } from 'node:fs';
import { acceptByApi, callsWith, firstLink, KEPT, person } from './staff';

export default async function acceptFirstLink(): Promise<void> {
  // A family without a back office.
  if (!process.env.E2E_FIRST_LINK) return;
  const api = await callsWith(existsSync(KEPT) ? KEPT : undefined);
  const session = await api.get('/api/session');
  if (!session.ok()) await acceptByApi(api, firstLink(), person('administrator'));
  await api.storageState({ path: KEPT });
  await api.dispose();
}
