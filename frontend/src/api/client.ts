/** The one door to the API. */
import { withDomain } from '../host';
import { tellOtherTabs } from '../other-tabs';
import { ApiProblem, type ProblemBody } from './problem';
import { takeReply } from './replies';

type Method = 'GET' | 'POST' | 'DELETE';

/** Only for list.ts, which reads headers: everything else uses the functions below. */
export async function request(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal | undefined,
): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const reply = await fetch(withDomain(path), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (!reply.ok) throw new ApiProblem(reply.status, await problemBody(reply));
  return reply;
}

async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const written = method === 'GET' ? takeReply(path) : undefined;
  if (written !== undefined) return written as T;
  const reply = await request(method, path, body);
  if (method !== 'GET') tellOtherTabs('changed');
  return (reply.status === 204 ? undefined : await reply.json()) as T;
}

async function problemBody(reply: Response): Promise<ProblemBody> {
  try {
    return (await reply.json()) as ProblemBody;
  } catch {
    return {};
  }
}

export const get = <T>(path: string): Promise<T> => call('GET', path);
export const post = <T>(path: string, body: unknown): Promise<T> => call('POST', path, body);
export const del = <T>(path: string, body: unknown): Promise<T> => call('DELETE', path, body);

/** An id or name as one segment of a path. */
export const segment = (part: number | string): string => encodeURIComponent(part);
