/**
 * Generates the API's types from openapi.json: one exported type per schema. Usage: npm run types (`-- --print` prints them).
 *
 * The known generators need the compiler API of TypeScript 5, which TypeScript 7 does not have.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const DOCUMENT = new URL('../openapi.json', import.meta.url);
const TYPES = new URL('../src/api/types.ts', import.meta.url);

/** The text of types.ts. */
function typesOf(document) {
  const schemas = Object.entries(document.components.schemas);
  const head = '/** Requests and replies of the API. Written by `npm run types` from openapi.json. */\n';
  return [head, ...schemas.map(([name, schema]) => declaration(name, schema))].join('\n');
}

function declaration(name, schema) {
  const about = comment(schema.description, '');
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return `${about}export type ${name} = ${typeOf(schema)};\n`;
  const lines = fields.map(([field, value]) => {
    const needed = schema.required?.includes(field);
    return `${comment(aboutOf(value), '  ')}  ${field}${needed ? '' : '?'}: ${typeOf(value)};\n`;
  });
  return `${about}export type ${name} = {\n${lines.join('')}};\n`;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' | ');
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
      return 'Record<string, unknown>';
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** A nullable reference carries its description one level down. */
const aboutOf = schema => schema.description ?? schema.oneOf?.find(choice => choice.description)?.description;

const comment = (text, indent) => (text ? `${indent}/** ${text.replaceAll('\n', ' ')} */\n` : '');

const types = typesOf(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
if (process.argv.includes('--print')) process.stdout.write(types);
else writeFileSync(TYPES, types);
