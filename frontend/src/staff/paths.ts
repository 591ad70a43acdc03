/** Every address of the back office. */
export const paths = {
  start: '/',
  signIn: '/sign-in',
  secondFactor: '/sign-in/second-factor',
  invitation: '/invitation/:token',
  content: '/content',
  record: '/content/:catalogue/:kind/:slug',
  newRecord: '/new/:catalogue/:kind',
  arrange: '/arrange/:catalogue/:kind',
  drafts: '/drafts',
  uploads: '/uploads',
  importFile: '/import',
  import: '/imports/:catalogue/:id',
  support: '/support',
  approvals: '/approvals',
  books: '/books',
  terms: '/terms',
  differences: '/differences',
  charges: '/charges',
  publishers: '/publishers',
  staff: '/staff',
  staffSessions: '/staff/:id/sessions',
  audit: '/audit',
  sessions: '/sessions',
} as const;

export const staffSessionsPath = (id: number): string => `/staff/${id}/sessions`;

type Place = { catalogue: string; kind: string; service: string };

/** The publishers that are held now. */
export const heldPublishersPath = (): string =>
  `${paths.publishers}?${new URLSearchParams({ held: 'true' })}`;

/** The list that a record is in. */
export const listPath = ({ service, kind }: Place): string =>
  `${paths.content}?${new URLSearchParams({ service, kind })}`;

export const recordPath = ({ catalogue, kind, service }: Place, slug: string): string =>
  `${paths.content}/${[catalogue, kind, slug].map(encodeURIComponent).join('/')}?${new URLSearchParams({ service })}`;

export const newRecordPath = ({ catalogue, kind, service }: Place): string =>
  `/new/${[catalogue, kind].map(encodeURIComponent).join('/')}?${new URLSearchParams({ service })}`;

/** The order of a list. */
export const arrangePath = ({ catalogue, kind, service }: Place): string =>
  `/arrange/${[catalogue, kind].map(encodeURIComponent).join('/')}?${new URLSearchParams({ service })}`;

/** The form for a file of a site's records. */
export const importFilePath = (service: string): string =>
  `${paths.importFile}?${new URLSearchParams({ service })}`;

/** What an uploaded file changes. */
export const importPath = (catalogue: string, id: number): string =>
  `/imports/${encodeURIComponent(catalogue)}/${id}`;

/** The address to return to after signing in: a path of this site, never another site's. */
export function returnPath(from: unknown): string {
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith(paths.signIn)
    ? from
    : paths.start;
}
