/** The HTTP client of the API. */

import type { Calls } from '../../shared/contract/sites';
import { type Arguments, addressOf, type Parts } from '../../shared/http/address';
import { withDomain } from '../host';
import { notifyOtherTabs } from '../other-tabs';
import { takeEmbeddedReply } from './embedded-replies';
import { ApiProblem, type ProblemBody } from './problem';

/**
 * Chrome before 81 refuses `keepalive` for JSON. Trying and repeating without it could send a write twice, because a lost connection fails
 * in the same way. No property shows the refusal, so a function that came with the same version does.
 */
const keepsJsonAlive = (): boolean => 'DisplayNames' in Intl;

declare const REPLY: unique symbol;
/** The address of a call that reads, with the type of its reply. */
export type Address<Reply> = string & { readonly [REPLY]?: Reply };

/** The address of a call, by its name in the contract. */
export const address = <Name extends keyof Calls>(
  name: Name,
  ...[parts]: Arguments<Omit<Calls[Name], 'reply'>>
): Address<Calls[Name]['reply']> => addressOf(name, parts as Parts);

/** For list.ts, which reads response headers, and for calls that change nothing. Other modules use `get` and `send`. */
export async function request(
  method: string,
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

export async function get<Reply>(from: Address<Reply>): Promise<Reply> {
  const embedded = takeEmbeddedReply(from);
  return (embedded === undefined ? await (await request('GET', from)).json() : embedded) as Reply;
}

/** The calls with a body. */
export type Write = {
  [Name in keyof Calls]: Calls[Name] extends { body: unknown } ? Name : never;
}[keyof Calls];

/** A call that changes something: the other tabs read the visitor's data again. */
export async function send<Name extends Write>(
  name: Name,
  body: Calls[Name]['body'],
  headers?: Record<string, string>,
): Promise<Calls[Name]['reply']> {
  const [method = '', path = ''] = name.split(' ');
  const response = await request(method, path, body, undefined, headers);
  notifyOtherTabs('changed');
  return response.json();
}

async function problemBody(response: Response): Promise<ProblemBody> {
  try {
    return (await response.json()) as ProblemBody;
  } catch {
    return {};
  }
}
