/** A reply that is not a success, as the API words it (RFC 9457). */
import type { Problem } from './types';

/** Anything between us and the server may have answered in its stead, so nothing of it is certain; `msg` is the specification's. */
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

/** What to tell a person: the server's own sentence, else ours. */
export function messageOf(error: unknown, otherwise = 'Something went wrong. Please try again.'): string {
  if (!(error instanceof ApiProblem)) return otherwise;
  return error.body.error_message ?? error.body.msg ?? otherwise;
}
