/** The calls of the back office: a query per reading call, a function per changing one. */

import type {
  Acceptance,
  Credentials,
  Format,
  KeepOrder,
  NewInvitation,
  NewPasskey,
  NoteKind,
  NumberRecord,
  Person,
  ProviderAcceptance,
  ProviderAddress,
  RoleDecision,
  SecondFactor,
  SecondFactorProof,
  SignedIn,
  StaffChange,
} from '../shared/contract/staff';
import { isStatus } from '../shared/http/problem';
import { infiniteQueryOptions, QueryClient, queryOptions } from '../shared/http/queries';
import { addressOf, call, download } from './client';

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Staff work beside each other: what is shown is read again when a screen opens.
      staleTime: 0,
      retry: (failures, error) => failures < 1 && isStatus(error, 502, 503, 504),
      refetchOnWindowFocus: false,
    },
  },
});

/** `null` without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Person | null> => {
    try {
      return (await call('GET /api/session', { signal })).staff;
    } catch (error) {
      if (isStatus(error, 401)) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Forgets everything that was read, and begins with this staff member. */
export function enter(staff: Person | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.setQueryData(sessionQuery.queryKey, staff);
}

/** Goes on after the person signed in again: what is on the screen stays, and is read again. */
export function goOn(staff: Person): void {
  client.setQueryData(sessionQuery.queryKey, staff);
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

/** The staff member, or what is still needed. */
export const signIn = (body: Credentials): Promise<SignedIn | SecondFactor> =>
  call('POST /api/session', { body });
export const getSecondFactor = (signal?: AbortSignal): Promise<SecondFactor> =>
  call('GET /api/session/second-factor', signal && { signal });
export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => getSecondFactor(signal),
  // Each call makes a new challenge.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
});
/** Of the session that there is. */
export const beginProof = (): Promise<SecondFactor> => call('POST /api/second-factor');
export const proveSecondFactor = async (body: SecondFactorProof): Promise<Person> =>
  (await call('POST /api/session/second-factor', { body })).staff;

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => call('GET /api/sign-in', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
/** Each leads to the provider of single sign-on, which leads back. */
export const beginSignIn = () => call('POST /api/sign-in/provider');
export const beginLink = () => call('POST /api/sign-in/link');
export const beginAcceptance = (token: string, body: ProviderAcceptance) =>
  call('POST /api/invitations/{token}/provider', { path: { token }, body });
export const leaveFor = ({ address }: ProviderAddress): void => window.location.assign(address);
export const providerLinkQuery = queryOptions({
  queryKey: ['provider-link'],
  queryFn: ({ signal }) => call('GET /api/sign-in/link', { signal }),
});
export const unlink = () => call('DELETE /api/sign-in/link');

/** What the caller typed into a form and has not sent; `record` is the `ref` of a number's record, or empty. */
export const draftQuery = (form: string, record: string) =>
  queryOptions({
    queryKey: ['private-draft', form, record],
    queryFn: ({ signal }) => call('GET /api/private-drafts', { query: formOf(form, record), signal }),
    gcTime: 0,
  });
const formOf = (form: string, record: string) => ({ form, ...(record && { record }) });
export const keepDraft = (form: string, record: string, text: Omit<KeepOrder, 'form' | 'record'>) =>
  call('PUT /api/private-drafts', { body: { ...formOf(form, record), ...text } });
export const dropDraft = (form: string, record: string, version: number) =>
  call('DELETE /api/private-drafts', { query: { ...formOf(form, record), version } });

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call('GET /api/passkeys', { signal }),
});
export const getNewPasskeyOptions = () => call('POST /api/passkeys/challenge');
export const addPasskey = (body: NewPasskey) => call('POST /api/passkeys', { body });
export const removePasskey = (id: number) => call('DELETE /api/passkeys/{id}', { path: { id } });

export const signOut = () => call('DELETE /api/session');

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call('GET /api/invitations/{token}', { path: { token }, signal }),
    // The key must stay the same while the form is filled in.
    staleTime: Number.POSITIVE_INFINITY,
  });
export const acceptInvitation = async (token: string, body: Acceptance): Promise<Person> =>
  (await call('POST /api/invitations/{token}', { path: { token }, body })).staff;

/** A staff member's sessions; without an id, one's own. */
export const sessionsQuery = (staff?: number) =>
  queryOptions({
    queryKey: ['sessions', staff ?? 'mine'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/sessions', { query: { staff: staff ?? '' }, signal })).sessions,
  });
export const endSession = (id: number) => call('DELETE /api/sessions/{id}', { path: { id } });

export const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: async ({ signal }) => (await call('GET /api/staff', { signal })).staff,
});
export const invite = (body: NewInvitation) => call('POST /api/invitations', { body });
export const resetMember = (id: number) => call('POST /api/staff/{id}/reset', { path: { id } });
export const decideRole = (id: number, body: RoleDecision) =>
  call('POST /api/staff/{id}/role', { path: { id }, body });
export const changeMember = (id: number, body: StaffChange) =>
  call('PUT /api/staff/{id}', { path: { id }, body });

export const auditQuery = (filter: { staff: string; action: string }) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam: before, signal }) =>
      call('GET /api/audit', { query: { before, ...filter }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null ? undefined : String(next)),
  });
export const checkAudit = () => call('GET /api/audit/check');
export const AUDIT_EXPORT = addressOf('GET /api/audit/export');

/** The number is in the key, which stays in the tab's memory. */
export const recordQuery = (number: string) =>
  queryOptions({
    queryKey: ['record', number],
    // Each search is an entry of the audit log: it is neither cancelled nor repeated.
    queryFn: () => call('POST /api/support/search', { body: { number } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
/** What is there now of a record that is open; `recordQuery` has what is shown. It belongs to that search, and has no entry of its own. */
export const liveRecordQuery = ({ ref: record }: NumberRecord) =>
  queryOptions({
    queryKey: ['live-record', record],
    queryFn: ({ signal }) => call('GET /api/support/{record}', { path: { record }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const revealNumber = async (record: string, reason: string): Promise<string> =>
  (await call('POST /api/support/{record}/reveal', { path: { record }, body: { reason } })).number;
export const endSubscription = (record: string, subscription_id: number, reason: string) =>
  call('POST /api/support/{record}/end', { path: { record }, body: { subscription_id, reason } });
export const refund = (record: string, ledger_ids: number[], reason: string) =>
  call('POST /api/support/{record}/refund', { path: { record }, body: { ledger_ids, reason } });
export const retryMessage = (record: string, id: number, reason: string) =>
  call('POST /api/support/{record}/messages/{id}/retry', { path: { record, id }, body: { reason } });
export const changeBlock = (record: string, blocked: boolean, reason: string) =>
  call('PUT /api/support/{record}/block', { path: { record }, body: { blocked, reason } });
export const addNote = (record: string, kind: NoteKind, text: string) =>
  call('POST /api/support/{record}/notes', { path: { record }, body: { kind, text } });
export const makeDossier = (record: string, format: Format, reason: string) =>
  download(`dossier.${format}`, 'POST /api/support/{record}/dossier', {
    path: { record },
    body: { format, reason },
  });

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: async ({ signal }) => (await call('GET /api/approvals', { signal })).approvals,
  // Another person may have asked or decided meanwhile.
  refetchInterval: 30_000,
});
export const casesQuery = queryOptions({
  queryKey: ['cases'],
  queryFn: ({ signal }) => call('GET /api/support/cases', { signal }),
});
export const closeCase = (id: number, reason: string) =>
  call('POST /api/support/cases/{id}/close', { path: { id }, body: { reason } });

export const decide = (id: number, accept: boolean, reason: string) =>
  call('POST /api/approvals/{id}', { path: { id }, body: { accept, reason } });
