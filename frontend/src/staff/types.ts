import type { Role } from '../shared/contract/staff';

/** The roles in the order of a form. */
export const ROLES = ['administrator', 'support', 'finance', 'publisher', 'editor'] as const satisfies Role[];
