/**
 * Generates the contract of each program with its services from their OpenAPI document: one exported type per schema, and what each call takes and
 * answers. Usage: npm run types (`-- --print sites` or `-- --print backoffice` prints those).
 *
 * The known generators need the compiler API of TypeScript 5, which TypeScript 7 does not have.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const at = path => new URL(`../${path}`, import.meta.url);

const DOCUMENTS = {
  sites: { document: at('openapi.json'), file: at('src/shared/contract/sites.ts') },
  backoffice: { document: at('openapi-backoffice.json'), file: at('src/shared/contract/staff.ts') },
};

/** The text of a file of types. */
function typesOf({ document }) {
  const { components, paths } = JSON.parse(readFileSync(document, 'utf8'));
  const name = document.pathname.split('/').at(-1);
  const head = `/** Requests and replies of the API. Written by \`npm run types\` from ${name}. */\n`;
  const declared = Object.entries(components.schemas).map(([schema, value]) => declaration(schema, value));
  return [head, ...declared, callsOf(paths)].join('\n');
}

function declaration(name, schema) {
  const about = comment(schema.description, '');
  const isObject = Object.keys(schema.properties ?? {}).length > 0;
  return `${about}export type ${name} = ${isObject ? objectOf(schema) : typeOf(schema)};\n`;
}

/** A field's name in TypeScript. */
const keyOf = name => (/^\w+$/.test(name) ? name : `'${name}'`);

function objectOf({ properties, required = [] }) {
  const lines = Object.entries(properties).map(([field, value]) => {
    const needed = required.includes(field);
    return `${comment(aboutOf(value), '  ')}  ${keyOf(field)}${needed ? '' : '?'}: ${typeOf(value)};\n`;
  });
  return `{\n${lines.join('')}}`;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (schema.enum) return schema.enum.map(word => `'${word}'`).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'array': {
      const items = typeOf(schema.items);
      return items.includes(' ') ? `(${items})[]` : `${items}[]`;
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'object':
      return schema.properties ? objectOf(schema) : 'Record<string, unknown>';
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** What each call takes and answers, by method and path. */
function callsOf(paths) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => {
      const parts = [
        ...['path', 'query'].map(place => parametersOf(call.parameters ?? [], place)),
        bodyOf(call.requestBody),
      ];
      const fields = [...parts, `reply: ${replyOf(call.responses)}`].filter(Boolean);
      return `  '${method.toUpperCase()} ${path}': { ${fields.join('; ')} };\n`;
    }),
  );
  return `/** A parameter of an address; an empty text is left out. */
type Parameter = string | number | boolean;

/** What each call takes and answers. */
export type Calls = {
${calls.join('')}};
`;
}

function parametersOf(parameters, place) {
  const here = parameters.filter(parameter => parameter.in === place);
  if (here.length === 0) return '';
  const isNeeded = here.some(({ required }) => required);
  const fields = here.map(({ name, required }) => `${name}${required ? '' : '?'}: Parameter`);
  return `${place}${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`;
}

function bodyOf(body) {
  if (!body) return '';
  const json = body.content['application/json'];
  return `body: ${json ? typeOf(json.schema) : 'Blob'}`;
}

function replyOf(responses) {
  const done = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = done.map(([, { content }]) =>
    content ? typeOf(content['application/json']?.schema ?? {}) : 'undefined',
  );
  return [...new Set(types)].join(' | ') || 'undefined';
}

/** A nullable reference carries its description one level down. */
const aboutOf = schema => schema.description ?? schema.oneOf?.find(choice => choice.description)?.description;

const comment = (text, indent) => (text ? `${indent}/** ${text.replaceAll('\n', ' ')} */\n` : '');

const printed = process.argv.indexOf('--print');
if (printed > 0) process.stdout.write(typesOf(DOCUMENTS[process.argv[printed + 1]]));
else for (const each of Object.values(DOCUMENTS)) writeFileSync(each.file, typesOf(each));
