// Generates the API documentation page from openapi.json: every call with its parameters and replies, and every schema. The page has no script.

const METHODS = ['get', 'post', 'delete'];

const ACCESS = {
  public: 'For everybody.',
  visitor: 'For everybody; a session gets its own.',
  session: 'For a session.',
  owner: 'For a session, about its own number.',
  network: 'For networks, signed.',
};

const LIMITS = ['minimum', 'maximum', 'maxLength', 'default', 'pattern'];

const CHARACTERS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = text => String(text).replace(/[&<>"']/g, character => CHARACTERS[character]);

/** HTML template: escapes texts, joins lists, keeps nested markup. */
const html = (parts, ...values) => ({
  markup: String.raw({ raw: parts }, ...values.map(value => [value].flat().map(markup).join(''))),
});
const markup = value => value?.markup ?? escaped(value ?? '');

const entries = object => Object.entries(object ?? {});
const joined = (parts, between) => parts.flatMap((part, index) => (index ? [between, part] : [part]));

/** Text with `code` in backticks. */
const prose = (text = '') =>
  text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`));

/** A schema's type and limits on one line. */
function kind(schema = {}) {
  const name = schema.$ref?.split('/').pop();
  if (name) return html`<a href="#${name}">${name}</a>`;
  if (schema.items) return html`list of ${kind(schema.items)}`;
  if (schema.oneOf) return joined(schema.oneOf.map(kind), ' or ');
  if (schema.enum)
    return joined(
      schema.enum.map(value => html`<code>${value}</code>`),
      ' or ',
    );
  // A maximum of 2^63 - 1 is the type's limit and is not shown.
  const limits = LIMITS.filter(
    limit => limit in schema && !(limit === 'maximum' && schema[limit] >= Number.MAX_SAFE_INTEGER),
  );
  return html`${[schema.type ?? 'anything'].flat().join(' or ')}${limits.map(
    limit => html`, ${limit} <code>${schema[limit]}</code>`,
  )}`;
}

const content = of => entries(of.content).map(([, { schema }]) => html`${kind(schema)} `);

const parameters = ({ parameters: all = [] }) =>
  all.length > 0
    ? html`<h3>Parameters</h3><dl>${all.map(
        ({ name, in: place, required, schema, description }) =>
          html`<dt><code>${name}</code> in ${place}${required ? '' : ', optional'}</dt><dd>${kind(schema)}. ${prose(description)}</dd>`,
      )}</dl>`
    : '';

const body = ({ requestBody }) =>
  requestBody ? html`<h3>Body</h3><p>${prose(requestBody.description)} ${content(requestBody)}</p>` : '';

const reply = (document, [status, own]) => {
  const shared = own.$ref?.split('/').pop();
  const response = shared ? document.components.responses[shared] : own;
  const headers = Object.keys(response.headers ?? {}).filter(name => name !== 'X-Request-Id');
  return html`<dt><code>${status}</code> ${content(response)}</dt><dd>${prose(response.description)}${
    headers.length > 0 ? ' Headers: ' : ''
  }${joined(
    headers.map(name => html`<code>${name}</code>`),
    ', ',
  )}</dd>`;
};

const call = (document, method, path, operation) => html`
<details><summary><b>${method.toUpperCase()}</b> <code>${path}</code><span>${prose(operation.summary)}</span></summary>
<p>${prose(operation.description)} ${ACCESS[operation['x-access']]}</p>
${parameters(operation)}${body(operation)}
<h3>Replies</h3><dl>${entries(operation.responses).map(each => reply(document, each))}</dl></details>`;

const service = (document, { name, description }) => html`
<section><h2 id="${name}">${name}</h2><p>${prose(description)}</p>${entries(document.paths).flatMap(
  ([path, item]) =>
    METHODS.filter(method => item[method]?.tags[0] === name).map(method =>
      call(document, method, path, item[method]),
    ),
)}</section>`;

const schema = ([name, { description, properties, required = [], ...rest }]) => html`
<div id="${name}"><h3>${name}</h3><p>${prose(description)}${properties ? '' : html` ${kind(rest)}`}</p><dl>${entries(
  properties,
).map(
  ([field, of]) =>
    html`<dt><code>${field}</code> ${kind(of)}${required.includes(field) ? '' : ', optional'}</dt><dd>${prose(of.description)}</dd>`,
)}</dl></div>`;

/** The page of an OpenAPI document. */
export const apiDocs = document =>
  html`<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<title>Spaza API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/api-docs.css">
</head>
<body>
<h1>Spaza API</h1>
<p>${prose(document.info.description)}</p>
<p><a href="/api/openapi.json">The same as OpenAPI 3.1</a></p>
<nav>${document.tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}<a href="#schemas">schemas</a></nav>
<main>${document.tags.map(tag => service(document, tag))}
<section id="schemas"><h2>Schemas</h2>${entries(document.components.schemas).map(schema)}</section>
</main>
</body>
</html>
`.markup;
