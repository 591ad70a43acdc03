/** Every address of the back office. */
export const paths = {
  start: '/',
  signIn: '/sign-in',
  invitation: '/invitation/:token',
  support: '/support',
  approvals: '/approvals',
  books: '/books',
  terms: '/terms',
  differences: '/differences',
  staff: '/staff',
  staffSessions: '/staff/:id/sessions',
  audit: '/audit',
  sessions: '/sessions',
} as const;

export const staffSessionsPath = (id: number): string => `/staff/${id}/sessions`;

/** The address to return to after signing in: a path of this site, never another site's. */
export function returnPath(from: unknown): string {
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && from !== paths.signIn ? from : paths.start;
}
