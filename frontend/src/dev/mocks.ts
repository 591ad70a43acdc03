/// <reference types="node" />
/**
 * Mocked services for tests and for `npm run dev`: every call of both programs' documents has a reply of its schema's shape. `site` and `staff` replace
 * single ones; a call, parameter or field that the contract does not have fails the type check.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultBodyType, type HttpHandler, HttpResponse, http } from 'msw';
import type { Calls as SiteCalls } from '../shared/contract/sites';
import type { Calls as StaffCalls } from '../shared/contract/staff';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  example?: unknown;
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  format?: string;
  minimum?: number;
};
type Response = { content?: Record<string, { schema?: Schema }> };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, Schema> };
};

/** Deeper values are empty: a schema may contain itself. */
const MOST_LEVELS = 20;

/** A value of a schema; `field` is its name, which a text repeats. */
function sampleOf(
  schema: Schema,
  schemas: Document['components']['schemas'],
  field = '',
  level = 0,
): unknown {
  const of = (other: Schema = {}, name = field) => sampleOf(other, schemas, name, level + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return of(schemas[schema.$ref.split('/').pop() ?? '']);
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return of(schema.oneOf.find(({ type }) => type !== 'null'));
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part => of(part)));
  const type = [schema.type].flat().find(each => each !== 'null');
  if (type === 'array') return level > MOST_LEVELS ? [] : [of(schema.items)];
  if (type === 'object' || schema.properties) {
    const fields = level > MOST_LEVELS ? [] : Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, value]) => [name, of(value, name)]));
  }
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type === 'boolean') return false;
  if (schema.format === 'date-time') return '2026-11-21T08:00:00Z';
  if (field === 'next') return null;
  if (/months?$|_in$|^correction/.test(field)) return '2026-11';
  return /days?$|^(since|until)$/.test(field) ? '2026-11-21' : field.replace(/_/g, ' ');
}

const patternOf = (path: string) => `*${path.replace(/\{(\w+)\}/g, ':$1')}`;
type Method = 'get' | 'post';

/** A handler for every call of a document. */
function handlersOf(file: string): HttpHandler[] {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const { paths, components }: Document = JSON.parse(text);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const [status = '204', response] = Object.entries(responses).find(([code]) => code < '4') ?? [];
      const schema = response?.content?.['application/json']?.schema;
      const reply = schema && (sampleOf(schema, components.schemas) as DefaultBodyType);
      return http[method as Method](patternOf(path), () =>
        reply === undefined ? new HttpResponse(null, { status: Number(status) }) : HttpResponse.json(reply),
      );
    }),
  );
}

export const siteHandlers = handlersOf('openapi.json');
export const staffHandlers = handlersOf('openapi-backoffice.json');

type Call = { request: Request; params: Record<string, string> };

/** Mocks calls of a contract by their names. */
const mocksOf =
  <Calls extends Record<keyof Calls, { reply: unknown }>>() =>
  <Name extends keyof Calls & string>(
    name: Name,
    reply: (call: Call) => Calls[Name]['reply'],
  ): HttpHandler => {
    const [method = '', path = ''] = name.split(' ');
    return http[method.toLowerCase() as Method](patternOf(path), ({ request, params }) =>
      HttpResponse.json(reply({ request, params: params as Call['params'] }) as DefaultBodyType),
    );
  };
export const site = mocksOf<SiteCalls>();
export const staff = mocksOf<StaffCalls>();

export const problem = (status: number, error_message: string) =>
  HttpResponse.json({ title: 'Refused', status, error_message }, { status });
