import type { Role } from './contract';

/** The roles in the order of a form. */
export const ROLES = ['administrator', 'support', 'finance', 'publisher', 'editor'] as const satisfies Role[];
