/** The HTTP client of the back office's API. Failures are `ApiProblem`s, as on the sites. */
import { ApiProblem, type ProblemBody } from '../api/problem';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A refusal names the faulty fields of a form, and after too many attempts the seconds to wait. */
type StaffProblem = ProblemBody & { errors?: Record<string, string>; retry_after?: number };

/** The second step of a sign-in. */
export const SECOND_FACTOR = '/api/session/second-factor';
/** Calls that are refused without an end of a session. */
const SIGNING_IN = ['/api/session', SECOND_FACTOR];

let sessionEnded: () => void = () => undefined;

/** Sets what happens when a call is refused because there is no session any more. */
export function onSessionEnd(run: () => void): void {
  sessionEnded = run;
}

export const call = <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  read(sendJson(method, path, body));

/** Sends a file as it is. */
export const upload = <T>(path: string, file: Blob): Promise<T> =>
  read(send('POST', path, file, 'application/octet-stream'));

/** Saves the file that a call answers with. */
export async function download(path: string, body: unknown, name: string): Promise<void> {
  const response = await sendJson('POST', path, body);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save it when the next task runs.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function read<T>(answer: Promise<Response>): Promise<T> {
  const text = await (await answer).text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const sendJson = (method: Method, path: string, body?: unknown): Promise<Response> =>
  send(method, path, body === undefined ? null : JSON.stringify(body), 'application/json');

async function send(
  method: Method,
  path: string,
  body: string | Blob | null,
  type: string,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', ...(body !== null && { 'content-type': type }) },
    body,
  });
  if (response.ok) return response;
  if (response.status === 401 && !SIGNING_IN.includes(path)) sessionEnded();
  throw new ApiProblem(response.status, await problemOf(response));
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
