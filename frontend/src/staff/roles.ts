/** Which screens each role has. The server decides; this only spares a visit to a refusal. */
import type { Person, Role } from '../shared/contract/staff';
import { paths } from './paths';
import { words } from './words';

/** Without roles, a screen is for everybody. */
type Screen = { path: string; name: string; roles?: Role[] };
type Section = { name: string; screens: Screen[] };

/** Who decides about money. */
export const MONEY: Role[] = ['finance', 'administrator'];

/** Who looks after the business. */
export const BUSINESS: Role[] = ['support', 'finance', 'administrator'];

/** Who edits content. */
export const EDITORS: Role[] = ['editor', 'publisher'];

const SECTIONS: Section[] = [
  { name: '', screens: [{ path: paths.start, name: words.nav.start }] },
  {
    name: words.nav.content,
    screens: [
      { path: paths.content, name: words.nav.content, roles: EDITORS },
      { path: paths.drafts, name: words.nav.drafts, roles: EDITORS },
      { path: paths.uploads, name: words.nav.uploads, roles: EDITORS },
    ],
  },
  {
    name: words.nav.support,
    screens: [
      { path: paths.support, name: words.nav.support, roles: ['support'] },
      { path: paths.approvals, name: words.nav.approvals, roles: ['support'] },
    ],
  },
  {
    name: words.nav.finance,
    screens: [
      { path: paths.books, name: words.nav.books, roles: ['finance'] },
      { path: paths.terms, name: words.nav.terms, roles: ['finance'] },
      { path: paths.differences, name: words.nav.differences, roles: ['finance'] },
      { path: paths.charges, name: words.nav.charges, roles: MONEY },
    ],
  },
  {
    name: words.nav.advertising,
    screens: [{ path: paths.publishers, name: words.nav.publishers, roles: BUSINESS }],
  },
  {
    name: words.nav.administration,
    screens: [
      { path: paths.staff, name: words.nav.staff, roles: ['administrator'] },
      { path: paths.audit, name: words.nav.audit, roles: ['administrator'] },
    ],
  },
  { name: words.nav.account, screens: [{ path: paths.sessions, name: words.nav.sessions }] },
];

export const has = (staff: Pick<Person, 'roles'>, role: Role): boolean => staff.roles.includes(role);

/** The navigation of a staff member; sections without a screen are left out. */
export function navigation(staff: Pick<Person, 'roles'>): Section[] {
  return SECTIONS.map(({ name, screens }) => ({
    name,
    screens: screens.filter(({ roles }) => !roles || roles.some(role => has(staff, role))),
  })).filter(({ screens }) => screens.length > 0);
}

export const roleNames = (roles: Role[]): string => roles.map(role => words.roles[role]).join(', ');
