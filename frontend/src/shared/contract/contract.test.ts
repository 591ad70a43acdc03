/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.each([
  ['sites', 'sites.ts'],
  ['backoffice', 'staff.ts'],
])('the contract of the %s equals the output of `npm run types`', (program, file) => {
  const script = join(import.meta.dirname, '../../../scripts/types.js');
  const written = execFileSync(process.execPath, [script, '--print', program], { encoding: 'utf8' });
  expect(readFileSync(join(import.meta.dirname, file), 'utf8'), 'stale: run `npm run types`').toBe(written);
});
