/** The session: proof, kept in a cookie this code cannot read, that a number is the visitor's own. */
import { get, post } from './api/client';
import { isStatus } from './api/problem';
import { type QueryKey, queryClient, queryOptions, STALE, useQuery } from './api/query-client';
import type { Me, TestSessionRequest } from './api/types';
import { brand } from './brand';
import { hearOtherTabs, tellOtherTabs } from './other-tabs';
import type { Flag } from './paths';
import { recall, remember } from './tab-memory';
import { forgetVisitor, isTestNumber, useVisitor, type Visitor } from './visitor';

export type Session = Me;

/** What a reply in this page did to the session cookie; until then the page's own request tells. */
let changed: 'opened' | 'closed' | undefined;

const hasNone = (): boolean => changed === 'closed' || (!changed && brand().session === false);

const sessionQuery = (visitor: Visitor) =>
  queryOptions({
    // Another visitor in the same tab (a join, the test number) asks anew.
    queryKey: ['session', visitor.active ? visitor.msisdn : ''],
    queryFn: (): Promise<Session | null> => loadSession(visitor),
    staleTime: STALE.MINUTE,
    retry: false,
    // It may have ended in the meantime: by SMS, on another phone, unpaid.
    refetchOnWindowFocus: 'always' as const,
    // Known without asking: the first drawing is then the last, and nothing on the page moves.
    initialData: hasNone() && !mayClaim(visitor) ? null : undefined,
  });

async function loadSession(visitor: Visitor): Promise<Session | null> {
  await claimTestSession(visitor);
  // Asking would answer 401 and put a red line in the console of every first visit.
  if (hasNone()) return null;
  try {
    return await get<Session>('/api/subscribe/me');
  } catch (error) {
    if (isStatus(error, 401)) {
      forgetOwn();
      return null;
    }
    throw error;
  }
}

const mayClaim = ({ msisdn, active }: Visitor): boolean =>
  active && isTestNumber(msisdn) && recall('test-session') !== brand().label;

/** The test number skips the join; its home page fetches the session instead, once for each brand that the tab shows. */
async function claimTestSession(visitor: Visitor): Promise<void> {
  if (!mayClaim(visitor)) return;
  remember('test-session', brand().label);
  try {
    await post('/api/session/test', {
      msisdn: visitor.msisdn,
      svc_id: brand().svc_id,
    } satisfies TestSessionRequest);
    changed = 'opened';
  } catch (error) {
    console.info('No session for the test number', error);
  }
}

/** `undefined` while asking, `null` for a visitor without a session, 'unreachable' when nobody can tell. */
export function useSession(): Session | null | undefined | 'unreachable' {
  const visitor = useVisitor();
  const { data, isError } = useQuery(sessionQuery(visitor));
  return isError ? 'unreachable' : data;
}

export const isOpen = (session: ReturnType<typeof useSession>): session is Session =>
  typeof session === 'object' && session !== null;

/** '1': may browse and like. The page's belief or the server's word is enough; the server guards what matters by itself. */
export function useFlag(): Flag {
  const { active } = useVisitor();
  const session = useSession();
  const expected = session === undefined && brand().session === true;
  return active || expected || (isOpen(session) && session.state === 'active') ? '1' : '0';
}

/** Catalogue replies are the same for everyone, and a list of many pages would be many calls. */
const askAgain = () =>
  queryClient().invalidateQueries({ predicate: query => isOwn(query) || query.queryKey[0] === 'session' });

/** What was fetched for another visitor is asked for again. */
export async function sessionChanged(change: 'opened' | 'closed'): Promise<void> {
  follow(change);
  tellOtherTabs(change);
  await askAgain();
}

function follow(change: 'opened' | 'closed'): void {
  changed = change;
  if (change === 'opened') return;
  forgetVisitor();
  remember('test-session', '');
  forgetOwn();
}

/** Parts of the keys of what is one visitor's own. */
const OWN = ['mine', 'watchlist'];
const isOwn = ({ queryKey }: { queryKey: QueryKey }) => OWN.some(part => queryKey.includes(part));

/** Without a session nothing is liked or on a list. */
function forgetOwn(): void {
  queryClient().resetQueries({ predicate: isOwn });
}

hearOtherTabs(news => {
  if (news !== 'changed') follow(news);
  askAgain();
});

/** Opens the operator's opt-in page. Must run inside the click itself, or the browser blocks the new tab. */
export function openOptIn(): void {
  window.open(brand().opt_in_url, '_blank', 'noopener');
}
