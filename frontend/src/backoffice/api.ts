/** The calls of the back office: a query per reading call, a function per changing one. */
import { isStatus } from '../api/problem';
import { infiniteQueryOptions, QueryClient, queryOptions } from '../api/query-client';
import { call, onSessionEnd, SECOND_FACTOR } from './client';
import type {
  AccessLink,
  Approval,
  AuditCheck,
  AuditPage,
  Invitation,
  Member,
  NewPasskeyOptions,
  NoteKind,
  NumberRecord,
  Passkeys,
  ProviderLink,
  Role,
  SecondFactor,
  SecondFactorProof,
  Session,
  SignInOptions,
  Staff,
} from './types';

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

const segment = (part: number | string): string => encodeURIComponent(part);

/** `null` without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Staff | null> => {
    try {
      return (await call<{ staff: Staff }>('GET', '/api/session')).staff;
    } catch (error) {
      if (isStatus(error, 401)) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Forgets everything that was read, and begins with this staff member. */
export function enter(staff: Staff | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.setQueryData(sessionQuery.queryKey, staff);
}

/** Whether there was a session in this tab, and is none any more. */
export const hasSessionEnded = (): boolean => client.getQueryData(sessionQuery.queryKey) === null;

onSessionEnd(() => enter(null));

/** The staff member, or what is still needed. */
export const signIn = (form: {
  email: string;
  password: string;
  code: string;
}): Promise<{ staff: Staff } | SecondFactor> => call('POST', '/api/session', form);
export const getSecondFactor = (): Promise<SecondFactor> => call('GET', SECOND_FACTOR);
export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: getSecondFactor,
  // Each call makes a new challenge.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
});
export const proveSecondFactor = async (proof: SecondFactorProof): Promise<Staff> =>
  (await call<{ staff: Staff }>('POST', SECOND_FACTOR, proof)).staff;

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => call<SignInOptions>('GET', '/api/sign-in'),
  staleTime: Number.POSITIVE_INFINITY,
});
type Address = { address: string };
/** Each leads to the provider of single sign-on, which leads back. */
export const beginSignIn = (): Promise<Address> => call('POST', '/api/sign-in/provider');
export const beginLink = (): Promise<Address> => call('POST', '/api/sign-in/link');
export const beginAcceptance = (token: string, form: { name: string; code: string }): Promise<Address> =>
  call('POST', `/api/invitations/${segment(token)}/provider`, form);
export const leaveFor = ({ address }: Address): void => window.location.assign(address);
export const providerLinkQuery = queryOptions({
  queryKey: ['provider-link'],
  queryFn: () => call<ProviderLink>('GET', '/api/sign-in/link'),
});
export const unlink = (): Promise<void> => call('DELETE', '/api/sign-in/link');

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => call<Passkeys>('GET', '/api/passkeys'),
});
export const getNewPasskeyOptions = (): Promise<NewPasskeyOptions> => call('POST', '/api/passkeys/challenge');
export const addPasskey = (form: { name: string; passkey: unknown }): Promise<unknown> =>
  call('POST', '/api/passkeys', form);
export const removePasskey = (id: number): Promise<void> => call('DELETE', `/api/passkeys/${segment(id)}`);

export const signOut = (): Promise<void> => call('DELETE', '/api/session');

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => call<Invitation>('GET', `/api/invitations/${segment(token)}`),
    // The key must stay the same while the form is filled in.
    staleTime: Number.POSITIVE_INFINITY,
  });
export const acceptInvitation = async (
  token: string,
  form: { name: string; password: string; code: string },
): Promise<Staff> => (await call<{ staff: Staff }>('POST', `/api/invitations/${segment(token)}`, form)).staff;

/** A staff member's sessions; without an id, one's own. */
export const sessionsQuery = (staff?: number) =>
  queryOptions({
    queryKey: ['sessions', staff ?? 'mine'],
    queryFn: async () =>
      (
        await call<{ sessions: Session[] }>(
          'GET',
          `/api/sessions${staff === undefined ? '' : `?staff=${staff}`}`,
        )
      ).sessions,
  });
export const endSession = (id: Session['id']): Promise<void> =>
  call('DELETE', `/api/sessions/${segment(id)}`);

export const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: async () => (await call<{ staff: Member[] }>('GET', '/api/staff')).staff,
});
export const invite = (form: { email: string; name: string; roles: Role[] }): Promise<AccessLink> =>
  call('POST', '/api/invitations', form);
export const resetMember = (id: number): Promise<AccessLink> =>
  call('POST', `/api/staff/${segment(id)}/reset`);
export const changeMember = (id: number, change: { roles: Role[]; removed: boolean }): Promise<unknown> =>
  call('PUT', `/api/staff/${segment(id)}`, change);

type AuditFilter = { staff: string; action: string };
export const auditQuery = ({ staff, action }: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', staff, action],
    queryFn: ({ pageParam }) => {
      const given = { before: pageParam, staff, action };
      const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
      return call<AuditPage>('GET', `/api/audit?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null || next === undefined ? undefined : String(next)),
  });
export const checkAudit = (): Promise<AuditCheck> => call('GET', '/api/audit/check');
export const AUDIT_EXPORT = '/api/audit/export';

/** The number is in the key, which stays in the tab's memory. */
export const recordQuery = (number: string) =>
  queryOptions({
    queryKey: ['record', number],
    queryFn: () => call<NumberRecord>('POST', '/api/support/search', { number }),
    // Each search is an entry of the audit log.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
/** What is there now of a record that is open; `recordQuery` has what is shown. It belongs to that search, and has no entry of its own. */
export const liveRecordQuery = ({ ref }: NumberRecord) =>
  queryOptions({
    queryKey: ['live-record', ref],
    queryFn: () => call<NumberRecord>('GET', `/api/support/${segment(ref)}`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const ofRecord = (ref: string, what: string): string => `/api/support/${segment(ref)}/${what}`;
export const revealNumber = async (ref: string, reason: string): Promise<string> =>
  (await call<{ number: string }>('POST', ofRecord(ref, 'reveal'), { reason })).number;
export const endSubscription = (ref: string, subscription_id: number, reason: string): Promise<unknown> =>
  call('POST', ofRecord(ref, 'end'), { subscription_id, reason });
export const refund = (
  ref: string,
  ledger_id: number,
  reason: string,
): Promise<{ state: 'made' | 'waits' }> => call('POST', ofRecord(ref, 'refund'), { ledger_id, reason });
export const retryMessage = (ref: string, id: number, reason: string): Promise<unknown> =>
  call('POST', ofRecord(ref, `messages/${segment(id)}/retry`), { reason });
export const changeBlock = (ref: string, blocked: boolean, reason: string): Promise<unknown> =>
  call('PUT', ofRecord(ref, 'block'), { blocked, reason });
export const addNote = (ref: string, kind: NoteKind, text: string): Promise<unknown> =>
  call('POST', ofRecord(ref, 'notes'), { kind, text });
export const dossierAddress = (ref: string, format: 'pdf' | 'json'): string =>
  ofRecord(ref, `dossier.${format}`);

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: async () => (await call<{ approvals: Approval[] }>('GET', '/api/approvals')).approvals,
  // Another person may have asked or decided meanwhile.
  refetchInterval: 30_000,
});
export const decide = (id: number, accept: boolean, reason: string): Promise<unknown> =>
  call('POST', `/api/approvals/${segment(id)}`, { accept, reason });
