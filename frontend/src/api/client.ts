/** The one door to the API. */
import { withDomain } from '../host';
import { takeEarly } from './early-replies';
import { ApiProblem, type ProblemBody } from './problem';

type Method = 'GET' | 'POST' | 'DELETE';

async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const address = withDomain(path);
  const init: RequestInit = { method, credentials: 'same-origin', headers: { accept: 'application/json' } };
  if (body !== undefined) {
    init.headers = { accept: 'application/json', 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const early = method === 'GET' ? takeEarly(address) : undefined;
  const reply = await (early ?? fetch(address, init));
  if (!reply.ok) throw new ApiProblem(reply.status, await problemBody(reply));
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
