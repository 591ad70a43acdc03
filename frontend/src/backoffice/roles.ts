/** Which screens each role has. The server decides; this only spares a visit to a refusal. */
import { paths } from './paths';
import type { Role, Staff } from './types';
import { words } from './words';

type Screen = { path: string; name: string; role?: Role };
type Section = { name: string; screens: Screen[] };

const SECTIONS: Section[] = [
  { name: '', screens: [{ path: paths.start, name: words.nav.start }] },
  {
    name: words.nav.support,
    screens: [
      { path: paths.support, name: words.nav.support, role: 'support' },
      { path: paths.approvals, name: words.nav.approvals, role: 'support' },
    ],
  },
  {
    name: words.nav.finance,
    screens: [
      { path: paths.books, name: words.nav.books, role: 'finance' },
      { path: paths.terms, name: words.nav.terms, role: 'finance' },
      { path: paths.differences, name: words.nav.differences, role: 'finance' },
    ],
  },
  {
    name: words.nav.administration,
    screens: [
      { path: paths.staff, name: words.nav.staff, role: 'administrator' },
      { path: paths.audit, name: words.nav.audit, role: 'administrator' },
    ],
  },
  { name: words.nav.account, screens: [{ path: paths.sessions, name: words.nav.sessions }] },
];

export const has = (staff: Pick<Staff, 'roles'>, role: Role): boolean => staff.roles.includes(role);

/** The navigation of a staff member; sections without a screen are left out. */
export function navigation(staff: Pick<Staff, 'roles'>): Section[] {
  return SECTIONS.map(({ name, screens }) => ({
    name,
    screens: screens.filter(({ role }) => !role || has(staff, role)),
  })).filter(({ screens }) => screens.length > 0);
}

const WITH_SCREENS: Role[] = ['administrator', 'finance', 'support'];

/** The roles of a staff member that have no screens yet. */
export const withoutScreens = (staff: Pick<Staff, 'roles'>): Role[] =>
  staff.roles.filter(role => !WITH_SCREENS.includes(role));

export const roleNames = (roles: Role[]): string => roles.map(role => words.roles[role]).join(', ');
