/** The states of a screen by what its calls answer: nothing yet, nothing at all, an error, or more and longer than usual. */
import { delay, getResponse, type HttpHandler, HttpResponse } from 'msw';
import { problem } from './mocks';

export const STATES = ['data', 'loading', 'empty', 'error', 'long'] as const;
export type State = (typeof STATES)[number];

/** Who the visitor or the member of staff is: the same in every state, or no screen would be shown. */
const SESSION = /\/api\/(subscribe|session)\b/;

/** Texts that people wrote. */
const TEXT = /name|title|artist|description|category|note|reason/;
const LONG =
  'as long as the longest that an editor has entered so far, with one Unbreakablylongwordinthemiddleofit';
const MANY = 60;

const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, emptied(each)]));
};

const lengthened = (value: unknown, field = '', nth = 0): unknown => {
  if (Array.isArray(value) && typeof value[0] === 'object')
    return Array.from({ length: MANY }, (_, place) => lengthened(value[place % value.length], field, place));
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, lengthened(each, name, nth)]),
    );
  if (/^(id|videoid)$/.test(field) && typeof value === 'number') return value + nth * 1000;
  return typeof value === 'string' && TEXT.test(field) && !value.includes('/') ? `${value}, ${LONG}` : value;
};

/** The reply to a call in a state; `undefined` if no handler has one. */
export async function replyIn(
  state: State,
  handlers: HttpHandler[],
  request: Request,
): Promise<Response | undefined> {
  const reply = await getResponse(handlers, request);
  const isJson = reply?.headers.get('content-type')?.startsWith('application/json');
  if (!reply?.ok || state === 'data' || SESSION.test(request.url) || request.method !== 'GET') return reply;
  if (state === 'loading') await delay('infinite');
  if (state === 'error') return problem(503, '');
  if (!isJson) return reply;
  const value = await reply.json();
  return HttpResponse.json((state === 'empty' ? emptied(value) : lengthened(value)) as object);
}
