import { expect, test } from 'vitest';
import { apiService } from './service-name';
import { isTestNumber, rememberVisitor, visitorFrom } from './visitor';

test('result=active is accepted in any letter case and stored in the tab', () => {
  expect(visitorFrom('?msisdn=27811111111&result=Active')).toEqual({ msisdn: '27811111111', active: true });
  expect(visitorFrom('')).toEqual({ msisdn: '', active: false });
  rememberVisitor('?msisdn=27811111111&result=ACTIVE');
  expect(visitorFrom('')).toEqual({ msisdn: '27811111111', active: true });
  rememberVisitor('?result=0');
  expect(visitorFrom('').active).toBe(false);
});

test('isTestNumber accepts every spelling of the number', () => {
  for (const typed of ['27600000000', '0600000000', '600000000', '+27 60 000 0000', '0027600000000']) {
    expect(isTestNumber(typed), typed).toBe(true);
  }
  for (const typed of ['', '0600000001', '27']) expect(isTestNumber(typed), typed).toBe(false);
});

test('apiService maps aliases of service names', () => {
  expect(['madfunny', 'Mad Funny', 'MC Funny', 'RacedayTV', 'racedaytv', 'ttmbhatv'].map(apiService)).toEqual(
    ['MC Funny', 'MC Funny', 'MC Funny', 'raceday', 'raceday', 'ttmbhatv'],
  );
});
