/** What lock.js finds, on small files. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { allows, faults } = require('./lock.js');

const good = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };
const of = (entry, manifest = {}) => faults(manifest, { lockfileVersion: 3, packages: { '': {}, 'node_modules/a': entry } });

test('a licence is any side of an OR and every side of an AND', () => {
  assert.ok(allows(['MIT'], '(MIT OR CC0-1.0)') && allows(['MIT', 'ISC'], 'MIT AND ISC'));
  assert.ok(!allows(['MIT'], 'MIT AND ISC') && !allows(['MIT'], 'GPL-3.0') && !allows(['MIT'], 'none'));
  assert.ok(allows(['MIT'], '(GPL-3.0 OR MIT) AND (ISC OR MIT)') && allows(['MIT'], 'GPL-3.0 OR (MIT AND (ISC OR MIT))'));
  assert.ok(!allows(['MIT'], '(MIT OR ISC) AND (GPL-3.0 OR ISC)') && !allows(['MIT'], '(GPL-3.0 OR ISC) AND (ISC OR MIT OR X)'));
});

test('what leaves nothing open is let pass', () => {
  assert.deepEqual(of(good, { dependencies: { a: '1.0.0' } }), []);
  assert.deepEqual(of({ version: '1.0.0', optional: true, os: ['win32'], license: 'MIT' }), []);
  assert.deepEqual(of({ ...good, hasInstallScript: true }, { allowScripts: { a: false } }), []);
});

test('what leaves something open is named', () => {
  const cases = [
    [good, { devDependencies: { a: '^1.0.0' } }, 'not one version'],
    [{ ...good, integrity: undefined }, {}, 'no sha512'],
    [{ ...good, integrity: 'sha1-x' }, {}, 'no sha512'],
    [{ ...good, resolved: 'git+ssh://example/a' }, {}, 'from elsewhere'],
    [{ ...good, link: true }, {}, 'from elsewhere'],
    [{ ...good, license: 'GPL-3.0' }, {}, 'is under GPL-3.0'],
    [{ ...good, license: 'MPL-2.0' }, {}, 'is under MPL-2.0'],
    [{ ...good, license: undefined }, {}, 'is under none'],
    [{ ...good, hasInstallScript: true }, {}, 'runs a script'],
  ];
  for (const [entry, manifest, words] of cases) {
    const found = of(entry, manifest);
    assert.ok(found.length === 1 && found[0].includes(words), `${words}: ${found}`);
  }
  assert.deepEqual(of({ ...good, license: 'MPL-2.0', dev: true }), []);
});
