/** The session: an HttpOnly cookie that proves the visitor's number. Scripts cannot read it, so the page requests it from the server. */

import type { Me } from '../shared/contract/sites';
import { getSessionItem, setSessionItem } from '../shared/session-storage';
import { address, get, send } from './api/client';
import { forgetOwnReplies, ownReply } from './api/embedded-replies';
import { isStatus } from './api/problem';
import { queryClient, queryOptions, STALE, useQuery } from './api/query-client';
import { brand } from './brand';
import { useHydrated } from './hydration';
import { notifyOtherTabs, onTabMessage } from './other-tabs';
import { type Flag, paths } from './paths';
import { forgetVisitor, isTestNumber, useVisitor, type Visitor } from './visitor';

export type Session = Me;

export const ME = address('GET /api/subscribe/me');

/** The last change of the session since this page was loaded. Before the first change, `brand().session` tells whether there is a cookie. */
let lastChange: 'opened' | 'closed' | undefined;

const hasNoSession = (): boolean => lastChange === 'closed' || (!lastChange && brand().session === false);

const sessionQuery = (visitor: Visitor) =>
  queryOptions({
    // Another number in the same tab (after a join, or the test number) is another query.
    queryKey: [ME, visitor.active ? visitor.msisdn : ''],
    queryFn: (): Promise<Session | null> => loadSession(visitor),
    staleTime: STALE.MINUTE,
    retry: false,
    // The session may have ended in the meantime: by SMS, on another phone, or after unpaid days.
    refetchOnWindowFocus: 'always' as const,
    // Known without a request, so the first rendering is final and nothing on the page moves.
    initialData: hasNoSession() && !canClaimTestSession(visitor) ? null : undefined,
    placeholderData: (): Session | null | undefined => ownReply(ME),
  });

async function loadSession(visitor: Visitor): Promise<Session | null> {
  await claimTestSession(visitor);
  // The request would return 401 and log an error in the console of every first visit.
  if (hasNoSession()) return null;
  try {
    return await get(ME);
  } catch (error) {
    if (isStatus(error, 401)) {
      resetVisitorData();
      return null;
    }
    throw error;
  }
}

const canClaimTestSession = ({ msisdn, active }: Visitor): boolean =>
  active && isTestNumber(msisdn) && getSessionItem('test-session') !== brand().label;

/** The test number skips the join: its home page requests a session instead, once per brand and tab. */
async function claimTestSession(visitor: Visitor): Promise<void> {
  if (!canClaimTestSession(visitor)) return;
  setSessionItem('test-session', brand().label);
  try {
    await send('POST /api/session/test', {
      msisdn: visitor.msisdn,
      svc_id: brand().svc_id,
    });
    lastChange = 'opened';
  } catch (error) {
    console.info('No session for the test number', error);
  }
}

/** `undefined` while loading, `null` without a session, 'unreachable' if the request failed. */
export function useSession(): Session | null | undefined | 'unreachable' {
  const visitor = useVisitor();
  // During hydration the visitor's number is not known: it would be another query, and a second call.
  const hydrated = useHydrated(() => true, false);
  const { data, isError } = useQuery({ ...sessionQuery(visitor), enabled: hydrated });
  return isError ? 'unreachable' : data;
}

export const isOpen = (session: ReturnType<typeof useSession>): session is Session =>
  typeof session === 'object' && session !== null;

/** Whether the session's subscription has ended. */
const hasLeft = (session: ReturnType<typeof useSession>): boolean =>
  isOpen(session) && session.state === 'cancelled';

/** '1': the visitor may browse and like. The address or the session is enough, because the server checks every protected call itself. */
export function useFlag(): Flag {
  const { active } = useVisitor();
  const session = useSession();
  const expected = session === undefined && brand().session === true;
  // An old address does not undo a leave.
  if (hasLeft(session)) return '0';
  return active || expected || (isOpen(session) && session.state === 'active') ? '1' : '0';
}

/** Refetches the session and the visitor's data. Catalogue replies are the same for everyone and stay cached. */
const refetchVisitorData = () =>
  queryClient().invalidateQueries({
    predicate: query => isVisitorData(query) || query.queryKey[0] === ME,
  });

/** Call when the session was opened or closed: informs the other tabs and refetches the visitor's data. */
export async function sessionChanged(change: 'opened' | 'closed'): Promise<void> {
  applyChange(change);
  notifyOtherTabs(change);
  await refetchVisitorData();
}

function applyChange(change: 'opened' | 'closed'): void {
  lastChange = change;
  forgetOwnReplies();
  if (change === 'opened') return;
  forgetVisitor();
  setSessionItem('test-session', '');
  resetVisitorData();
}

/** Addresses of a visitor's own data. */
const isVisitorData = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
  /\/(mine|liked|getTTWatchlist|receipt)\b/.test(String(path));

/** Without a session there are no likes and no watchlist. */
function resetVisitorData(): void {
  forgetOwnReplies();
  queryClient().resetQueries({ predicate: isVisitorData });
}

onTabMessage(message => {
  if (message !== 'changed') applyChange(message);
  refetchVisitorData();
});

/** Opens the operator's opt-in page in a new tab; the return from it offers `page`. Call it in the click handler, or the browser blocks the tab. */
export function openOptIn(page: string): void {
  window.open(paths.optIn(page), '_blank', 'noopener');
}
