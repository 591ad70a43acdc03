/** Error replies of the API (RFC 9457 problem details). */
import type { Problem } from '../contract/sites';

/** Every field is optional, because a proxy may have sent the reply. `msg` is the specification's field. */
export type ProblemBody = Partial<Problem> & { msg?: string };

export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
  ) {
    super(body.error_message ?? body.msg ?? body.title ?? `HTTP ${status}`);
  }
}

export function isStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof ApiProblem && statuses.includes(error.status);
}

/** Whether no answer came, or one that says nothing about the request. */
export const isBroken = (error: unknown): boolean => !(error instanceof ApiProblem && error.status < 500);

/** The error message for the visitor: the server's if it sent one, otherwise `otherwise`. */
export function messageOf(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiProblem)) return otherwise;
  return error.body.error_message ?? error.body.msg ?? otherwise;
}
