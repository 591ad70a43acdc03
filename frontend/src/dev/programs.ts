/** The programs of `npm run dev`: the addresses of each, and its mocked services. */
import type { HttpHandler } from 'msw';
import type { Role } from '../shared/contract/staff';
import type { Brand } from '../sites/brand';
import { type FirstView, firstViews } from '../sites/first-views';
import { paths } from '../staff/paths';
import { staff, staffHandlers } from './mocks';
import { handlers, signedIn } from './server';

/** An address of the table and its replies, with values for the placeholders. */
export function filled(
  { path, replies }: Pick<FirstView, 'path' | 'replies'>,
  { service }: { service: string },
) {
  const name = encodeURIComponent(service);
  const parts = path.startsWith('/memeCategory') ? ['1', '7', name] : ['1', name, '1'];
  let place = 0;
  return {
    address: path.replace(/\*/g, () => parts[place++] ?? '') + (path === '/search' ? '?q=1' : ''),
    replies: replies.map(reply =>
      reply
        .replace(/\{(\d)\}/g, (_, nth) => parts[Number(nth) - 1] ?? '')
        .replace('{service}', name)
        .replace('{q}', '1'),
    ),
  };
}

/** The addresses of a brand's site; without a brand, of the back office. */
export async function addressesOf(brand: Brand | undefined): Promise<string[]> {
  // Mocked names repeat those of their fields.
  if (!brand)
    return Object.values(paths).map(path =>
      path
        .replace(/:id/, '1')
        .replace(/:/g, '')
        .replace(/kind.*/, '$&?service=services'),
    );
  const views = (await firstViews()).filter(({ kind }) => kind === null || kind === brand.kind);
  return views.map(view => filled(view, brand).address.replace('*', '/nowhere'));
}

const ROLES: Role[] = ['administrator', 'support', 'finance', 'publisher', 'editor'];

/** The mocked services of a program. */
export function handlersOf(isStaff: boolean, hasSession: boolean): HttpHandler[] {
  if (!isStaff) return [...(hasSession ? [signedIn()] : []), ...handlers];
  const person = { id: 1, email: 'sipho@example.test', name: 'Sipho', roles: ROLES };
  return [staff('GET /api/session', () => ({ staff: person })), ...staffHandlers];
}
