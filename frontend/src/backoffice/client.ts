/** The HTTP client of the back office's API. Failures are `ApiProblem`s, as on the sites. */
import { ApiProblem, type ProblemBody } from '../api/problem';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A refusal names the faulty fields of a form, and after too many attempts the seconds to wait. */
type StaffProblem = ProblemBody & { errors?: Record<string, string>; retry_after?: number };

let sessionEnded: () => void = () => undefined;

/** Sets what happens when a call is refused because there is no session any more. */
export function onSessionEnd(run: () => void): void {
  sessionEnded = run;
}

export const call = <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  send(method, path, body === undefined ? null : JSON.stringify(body), 'application/json');

/** Sends a file as it is. */
export const upload = <T>(path: string, file: Blob): Promise<T> =>
  send('POST', path, file, 'application/octet-stream');

async function send<T>(method: Method, path: string, body: string | Blob | null, type: string): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', ...(body !== null && { 'content-type': type }) },
    body,
  });
  if (response.ok) {
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  if (response.status === 401 && path !== '/api/session') sessionEnded();
  const problem = await problemOf(response);
  throw new ApiProblem(response.status, problem);
}

async function problemOf(response: Response): Promise<StaffProblem> {
  const seconds = Number(response.headers.get('retry-after'));
  const wait = Number.isFinite(seconds) && seconds > 0 ? { retry_after: seconds } : {};
  try {
    return { ...((await response.json()) as StaffProblem), ...wait };
  } catch {
    return wait;
  }
}

const bodyOf = (error: unknown): StaffProblem => (error instanceof ApiProblem ? error.body : {});

/** The texts of a refused form, by field. */
export const fieldErrors = (error: unknown): Record<string, string> => bodyOf(error).errors ?? {};

/** Whole minutes to wait before the next attempt, if the server named a time. */
export function minutesToWait(error: unknown): number | undefined {
  const seconds = bodyOf(error).retry_after;
  return seconds === undefined ? undefined : Math.ceil(seconds / 60);
}
