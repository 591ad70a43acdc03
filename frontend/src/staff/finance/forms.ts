/** The checks of finance's forms. */
import { z } from 'zod';
import { words } from '../words';
import { basisPoints } from './figures';

const faults = words.finance.terms.faults;

const rate = z.string().transform((text, context) => {
  const points = basisPoints(text);
  if (points === undefined) context.addIssue({ code: 'custom', message: faults.percent });
  return points ?? 0;
});
const since = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, faults.since);

export const termForm = z.object({
  network: z.string().min(1, faults.network),
  svc_id: z.string(),
  party: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} .&'-]{0,39}$/u, faults.party),
  basis_points: rate,
  since,
});
export const vatForm = z.object({ basis_points: rate, since });
