/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('types.ts equals the output of `npm run types`', () => {
  const script = join(import.meta.dirname, '../../scripts/types.js');
  const written = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' });
  expect(readFileSync(join(import.meta.dirname, 'types.ts'), 'utf8'), 'stale: run `npm run types`').toBe(
    written,
  );
});
