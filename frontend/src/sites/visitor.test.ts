import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brand } from './brand';
import { apiService } from './service-name';
import { digitsOf, isTestNumber, rememberVisitor, visitorFrom } from './visitor';

test('result=active is accepted in any letter case and stored in the tab', () => {
  expect(visitorFrom('?msisdn=27811111111&result=Active')).toEqual({ msisdn: '27811111111', active: true });
  expect(visitorFrom('')).toEqual({ msisdn: '', active: false });
  rememberVisitor('?msisdn=27811111111&result=ACTIVE');
  expect(visitorFrom('')).toEqual({ msisdn: '27811111111', active: true });
  rememberVisitor('?result=0');
  expect(visitorFrom('').active).toBe(false);
});

test('isTestNumber accepts every spelling of the number', () => {
  for (const typed of [
    '27600000000',
    '0600000000',
    '600000000',
    '+27 60 000 0000',
    '0027600000000',
    '+27 (0)60 000 0000',
    '０６００００００００',
  ]) {
    expect(isTestNumber(typed), typed).toBe(true);
  }
  for (const typed of ['', '0600000001', '27']) expect(isTestNumber(typed), typed).toBe(false);
});

/** The spellings of the table's number in digits alone. */
const NUMBER = /^((00)?27)?0?812345678$/;

test('what the meme form makes of a number is the same number, and a wrong one stays wrong', () => {
  brand().test_msisdn = '27812345678';
  const table = readFileSync(join(import.meta.dirname, '../../../crates/testkit/corpus/phones.txt'), 'utf8');
  const rows = table.split('\n').filter(line => line && !line.startsWith('#'));
  expect(rows.length).toBeGreaterThan(40);
  for (const [typed = '', right = ''] of rows.map(row => row.split('\t'))) {
    const digits = digitsOf(JSON.parse(typed));
    if (right === 'refused') expect(digits, typed).not.toMatch(NUMBER);
    else expect(digits, typed).toMatch(NUMBER);
    expect(isTestNumber(JSON.parse(typed)), typed).toBe(right !== 'refused');
  }
});

test('apiService maps aliases of service names', () => {
  expect(['madfunny', 'Mad Funny', 'MC Funny', 'RacedayTV', 'racedaytv', 'ttmbhatv'].map(apiService)).toEqual(
    ['MC Funny', 'MC Funny', 'MC Funny', 'raceday', 'raceday', 'ttmbhatv'],
  );
});
