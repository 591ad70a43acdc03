/** The one door to the API. */
import { withDomain } from '../host';
import { tellOtherTabs } from '../other-tabs';
import { ApiProblem, type ProblemBody } from './problem';
import { takeReply } from './replies';

type Method = 'GET' | 'POST' | 'DELETE';

async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const written = method === 'GET' ? takeReply(path) : undefined;
  if (written !== undefined) return written as T;
  const init: RequestInit = { method, credentials: 'same-origin', headers: { accept: 'application/json' } };
  if (body !== undefined) {
    init.headers = { accept: 'application/json', 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const reply = await fetch(withDomain(path), init);
  if (!reply.ok) throw new ApiProblem(reply.status, await problemBody(reply));
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
