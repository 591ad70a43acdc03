/** The HTTP client of the API. */
import { withDomain } from '../host';
import { notifyOtherTabs } from '../other-tabs';
import { takeEmbeddedReply } from './embedded-replies';
import { ApiProblem, type ProblemBody } from './problem';

type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Chrome before 81 refuses `keepalive` for JSON. Trying and repeating without it could send a write twice, because a lost connection fails
 * in the same way. No property shows the refusal, so a function that came with the same version does.
 */
const keepsJsonAlive = (): boolean => 'DisplayNames' in Intl;

/** For list.ts, which reads response headers. Other modules use `get`, `post` and `del`. */
export async function request(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal | undefined,
  more?: Record<string, string>,
): Promise<Response> {
  const headers = {
    ...more,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await fetch(withDomain(path), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    // A like or leave is sent also where the visitor goes to another page at once.
    keepalive: method !== 'GET' && keepsJsonAlive(),
  });
  if (!response.ok) throw new ApiProblem(response.status, await problemBody(response));
  return response;
}

async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<T> {
  const embedded = method === 'GET' ? takeEmbeddedReply(path) : undefined;
  if (embedded !== undefined) return embedded as T;
  const response = await request(method, path, body, undefined, headers);
  if (method !== 'GET') notifyOtherTabs('changed');
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function problemBody(response: Response): Promise<ProblemBody> {
  try {
    return (await response.json()) as ProblemBody;
  } catch {
    return {};
  }
}

export const get = <T>(path: string): Promise<T> => call('GET', path);
export const post = <T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T> =>
  call('POST', path, body, headers);
export const del = <T>(path: string, body: unknown): Promise<T> => call('DELETE', path, body);

/** Encodes an id or name as one path segment. */
export const segment = (part: number | string): string => encodeURIComponent(part);
