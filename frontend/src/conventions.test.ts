/// <reference types="node" />
/** Conventions of the source: the direction of imports, one importing module per library, file names. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = import.meta.dirname;
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name) && !/\.test\.|\.d\.ts$|^dev\//.test(name))
  .map(name => ({ name, text: withoutComments(readFileSync(join(SRC, name), 'utf8')) }));

const importsOf = ({ name, text }: { name: string; text: string }): string[] =>
  [...text.matchAll(/(?:from|import|import\([^'"]*)\s*['"]([^'"]+)['"]/g)].map(([, to = '']) =>
    to.startsWith('.') ? relative(SRC, join(SRC, dirname(name), to)) : to,
  );
const featureOf = (path: string) => /^sites\/features\/([^/]+)/.exec(path)?.[1];
/** `npm run dev` stands above both programs. */
const isDev = (name: string) => name.startsWith('dev/');

const TOP = ['main.tsx', 'server-rendering.tsx', 'first-views.ts', 'app.tsx', 'routes.tsx'].map(
  name => `sites/${name}`,
);

test('imports point from routes to features to shared code, never back or across', () => {
  const wrong = files
    .filter(({ name }) => !TOP.includes(name) && !isDev(name))
    .flatMap(file => importsOf(file).map(to => [file.name, to] as const))
    .filter(([from, to]) => {
      const target = featureOf(to);
      return (target && target !== featureOf(from)) || TOP.some(top => top.startsWith(`${to}.ts`));
    });
  expect(wrong).toEqual([]);
});

test.each([
  ['swiper', 'sites/ui/swiper.ts'],
  ['react-toastify', 'shared/ui/Toast.tsx'],
  ['hls.js', 'sites/ui/hls.ts'],
  ['web-vitals', 'sites/vitals.ts'],
  ['@tanstack/react-query', 'shared/http/queries.ts'],
  ['@tanstack/react-table', 'staff/ui/DataTable.tsx'],
  ['@tanstack/react-virtual', 'sites/ui/list-window.tsx'],
  ['uplot', 'staff/ui/Plot.tsx'],
  ['qrcode.react', 'staff/ui/QrCode.tsx'],
  ['react-easy-crop', 'staff/pictures/Cropping.tsx'],
  ['react-hook-form', 'staff/forms.ts'],
])('%s is imported by one module', (library, module) => {
  const users = files.filter(file =>
    importsOf(file).some(to => to === library || to.startsWith(`${library}/`)),
  );
  expect(users.map(({ name }) => name)).toEqual([module]);
});

test('only paths.ts and the route table contain addresses', () => {
  const found = files.filter(
    ({ name, text }) => !/^sites\/(paths|routes)\.tsx?$/.test(name) && /\bto=["'`{]+["'`]?\//.test(text),
  );
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('the sites and the back office import only themselves and what they share, which imports nothing of either', () => {
  const roomOf = (path: string) => /^(sites|staff|shared|dev)\//.exec(path)?.[1];
  const wrong = files
    .flatMap(file => importsOf(file).map(to => [file.name, to] as const))
    .filter(([from, to]) => {
      const room = roomOf(to);
      return room && room !== 'shared' && room !== roomOf(from);
    });
  expect(wrong).toEqual([]);
  expect(files.filter(({ name }) => !roomOf(name))).toEqual([]);
  const ofStaff = files.filter(file => importsOf(file).some(to => to.startsWith('../languages/backoffice')));
  expect(ofStaff.filter(({ name }) => roomOf(name) !== 'staff')).toEqual([]);
});

test('no module but host.ts compares labels or host names', () => {
  const found = files.filter(
    ({ name, text }) => name !== 'sites/host.ts' && /\.label ===|hostname/.test(text),
  );
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('the route table imports every *Page.tsx and nothing else of a feature', () => {
  const table = files.find(({ name }) => name === 'sites/routes.tsx');
  const routed = new Set(table && importsOf(table).filter(featureOf));
  const pages = files
    .filter(({ name }) => name.endsWith('Page.tsx'))
    .map(({ name }) => name.replace('.tsx', ''));
  expect([...routed].sort()).toEqual(pages.sort());
});

test('components are PascalCase, everything else kebab-case', () => {
  const odd = files
    .map(({ name }) => basename(name))
    .filter(name => !/^([A-Z][A-Za-z]+\.tsx|[a-z][a-z-]*\.tsx?)$/.test(name));
  expect(odd).toEqual([]);
});

test('no module uses any', () => {
  const found = files.filter(({ text }) => /:\s*any\b|as any\b|<any>/.test(text));
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('every query of the back office that only reads passes its signal, which cancels the call', () => {
  const staff = files.filter(({ name }) => name.startsWith('staff/'));
  expect(
    staff.filter(({ text }) => /queryFn: (async )?\(\{[^}]*\bsignal\b/.test(text)).length,
  ).toBeGreaterThan(5);
  const without = staff.flatMap(({ name, text }) =>
    [...text.matchAll(/queryFn: (?!(async )?\(\{[^}]*\bsignal\b|\(\) => call\('POST)[^\n]*/g)].map(
      ([line]) => `${name}: ${line}`,
    ),
  );
  expect(without).toEqual([]);
});

test('only client.ts knows how the back office calls its service', () => {
  const others = files.filter(
    ({ name, text }) =>
      name.startsWith('staff/') && name !== 'staff/client.ts' && /\bfetch\(|['"`]\/api\//.test(text),
  );
  expect(others.map(({ name }) => name)).toEqual([]);
});
