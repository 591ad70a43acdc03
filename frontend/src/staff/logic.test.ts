/** Money, times, the timeline, roles, addresses and the checks of forms. */

import { describe, expect, test } from 'vitest';
import type { Role, StaffMember } from '../shared/contract/staff';
import { addressOf } from './client';
import { dateTime, device, grouped, isoDay, longDay, rands } from './format';
import { invitationForm, inviteForm, noteForm, numberForm, reasonForm, signInForm } from './forms';
import { nextIndex } from './keyboard';
import { returnPath } from './paths';
import { navigation } from './roles';
import { matching } from './screens/StaffScreen';
import { byDay, entriesOf, filtered, NO_FILTER, newEntries, servicesOf } from './timeline';

test('cents are rands, with cents only where there are any', () => {
  expect([300, 6250, 5, -300, 123_456_700, 0].map(rands)).toEqual([
    'R3',
    'R62.50',
    'R0.05',
    '-R3',
    'R1\u00a0234\u00a0567',
    'R0',
  ]);
});

test('times are those of Johannesburg, also across midnight', () => {
  expect(isoDay('2026-11-02T22:30:00Z')).toBe('2026-11-03');
  expect(dateTime('2026-11-02T22:30:00Z')).toBe('3 Nov 2026, 00:30');
  expect(longDay('2026-11-02T21:59:59Z')).toMatch(/^Monday,? 2 November 2026$/);
});

test('a key is grouped by four characters', () => {
  expect(grouped('JBSWY3DPEHPK3PXPAB')).toBe('JBSW Y3DP EHPK 3PXP AB');
});

test('a device is named by browser and system', () => {
  const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
  expect([device(chrome), device('curl/8.5.0'), device('')]).toEqual(['Chrome, Android', 'curl', undefined]);
});

describe('timeline', () => {
  const charge = {
    at: '2026-11-02T22:10:00Z',
    service: 'raceday',
    kind: 'charge',
    text: 'Charged',
    cents: 300,
  };
  const join = { at: '2026-11-01T10:00:00Z', service: 'comedy', kind: 'join', text: 'Joined' };
  const message = { at: '2026-11-02T22:10:00Z', service: 'raceday', kind: 'message', text: 'Sent' };
  const notes = [{ at: '2026-11-02T12:00:00Z', by: 'Sipho', kind: 'complaint' as const, text: 'Called' }];
  const all = entriesOf({ timeline: [join, charge, message], notes });
  const texts = (entries: { text: string }[]) => entries.map(({ text }) => text);

  test('notes and entries are ordered newest first, and keep the order of a second', () => {
    expect(texts(all)).toEqual(['Charged', 'Sent', 'Called', 'Joined']);
    expect(new Set(all.map(({ key }) => key)).size).toBe(4);
  });

  test('a filter is by group, brand and Johannesburg day', () => {
    expect(texts(filtered(all, { ...NO_FILTER, group: 'money' }))).toEqual(['Charged']);
    expect(texts(filtered(all, { ...NO_FILTER, service: 'comedy' }))).toEqual(['Joined']);
    expect(texts(filtered(all, { ...NO_FILTER, day: '2026-11-03' }))).toEqual(['Charged', 'Sent']);
    expect(texts(filtered(all, { ...NO_FILTER, group: 'notes', day: '2026-11-02' }))).toEqual(['Called']);
    expect(filtered(all, NO_FILTER)).toHaveLength(4);
    expect(texts(filtered(all, { ...NO_FILTER, since: '2026-11-02' }))).toEqual([
      'Charged',
      'Sent',
      'Called',
    ]);
  });

  test('a charge of a day brings the consent that allows it', () => {
    const consent = { ...join, kind: 'consent', text: 'Confirmed', consent: 'x' };
    const stranger = { ...consent, text: 'Not this one', consent: 'y' };
    const entries = entriesOf({
      timeline: [{ ...charge, why: 'Joined.', consent: 'x' }, consent, stranger],
      notes: [],
    });
    const day = '2026-11-03';
    for (const group of ['all', 'money'] as const)
      expect(texts(filtered(entries, { ...NO_FILTER, group, day }))).toEqual(['Charged', 'Confirmed']);
    expect(texts(filtered(entries, { ...NO_FILTER, group: 'membership', day }))).toEqual(['Confirmed']);
    expect(texts(filtered(entries, { ...NO_FILTER, group: 'messages', day }))).toEqual([]);
  });

  test('entries are grouped by day, and brands are named once', () => {
    expect(byDay(all).map(({ day, entries }) => [day, entries.length])).toEqual([
      ['2026-11-03', 2],
      ['2026-11-02', 1],
      ['2026-11-01', 1],
    ]);
    expect(servicesOf(all)).toEqual(['comedy', 'raceday']);
  });
});

test('each role has its screens and no others', () => {
  const names = (roles: Role[]) =>
    navigation({ roles }).flatMap(({ screens }) => screens.map(({ name }) => name));
  expect(names(['editor'])).toEqual(['Start', 'Content', 'Drafts', 'Uploads', 'My sessions']);
  expect(names(['publisher', 'editor'])).toEqual(names(['editor']));
  expect(names(['support'])).toEqual(['Start', 'Support', 'Approvals', 'Publishers', 'My sessions']);
  expect(names(['administrator'])).toEqual([
    'Start',
    'Charges',
    'Publishers',
    'Staff',
    'Audit log',
    'My sessions',
  ]);
  expect(names(['administrator', 'support'])).toHaveLength(8);
  expect(names(['finance'])).toEqual([
    'Start',
    'Books',
    'Contract terms',
    'Differences',
    'Charges',
    'Publishers',
    'My sessions',
  ]);
});

test('signing in returns to an address of this site only', () => {
  expect(
    ['/staff', '//evil.test', '/\\evil.test', 'https://evil.test', undefined, '/sign-in'].map(returnPath),
  ).toEqual(['/staff', '/', '/', '/', '/', '/']);
});

test('arrows stay within a list', () => {
  expect(nextIndex('ArrowDown', -1, 3)).toBe(0);
  expect(nextIndex('ArrowDown', 2, 3)).toBe(2);
  expect(nextIndex('ArrowUp', 0, 3)).toBe(0);
  expect(nextIndex('End', 0, 3)).toBe(2);
  expect(nextIndex('a', 0, 3)).toBeUndefined();
  expect(nextIndex('ArrowDown', 0, 0)).toBeUndefined();
});

describe('forms', () => {
  const faultsOf = (result: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) =>
    result.error?.issues.map(({ path }) => path.join('.')) ?? [];

  test('a number may have spaces, dashes and the country code', () => {
    for (const number of ['082 123 4567', '+27 (82) 123-4567', '27821234567'])
      expect(faultsOf(numberForm.safeParse({ number }))).toEqual([]);
    expect(numberForm.parse({ number: '082 123 4567' })).toEqual({ number: '0821234567' });
    for (const number of ['', '12', '082123456', 'number', '+44 7700 900123'])
      expect(faultsOf(numberForm.safeParse({ number }))).toEqual(['number']);
  });

  test('a code has six digits, which may be typed in groups', () => {
    const form = { email: ' a@example.test ', password: 'x', code: '123 456' };
    expect(signInForm.parse(form)).toEqual({ email: 'a@example.test', password: 'x', code: '123456' });
    expect(faultsOf(signInForm.safeParse({ email: 'a', password: '', code: '12345' }))).toEqual([
      'email',
      'password',
      'code',
    ]);
  });

  test('a new password has 12 to 256 characters and is not the address', () => {
    const form = invitationForm('ann@example.test');
    const faults = (password: string) => faultsOf(form.safeParse({ name: 'A', password, code: '123456' }));
    expect(faults('eleven char')).toEqual(['password']);
    expect(faults('twelve chars')).toEqual([]);
    expect(faults('x'.repeat(257))).toEqual(['password']);
    expect(faults('ANN@example.test')).toEqual(['password']);
  });

  test('an invitation needs a role, a reason three characters, a note some', () => {
    expect(faultsOf(inviteForm.safeParse({ email: 'a@example.test', name: 'A', roles: [] }))).toEqual([
      'roles',
    ]);
    expect(faultsOf(inviteForm.safeParse({ email: 'a@example.test', name: 'A', roles: ['owner'] }))).toEqual([
      'roles.0',
    ]);
    expect(faultsOf(reasonForm.safeParse({ reason: '  a  ' }))).toEqual(['reason']);
    expect(faultsOf(noteForm.safeParse({ text: ' ', complaint: false }))).toEqual(['text']);
  });
});

test('the staff list is filtered by name, address and role', () => {
  const member = (name: string, roles: Role[], state: StaffMember['state'] = 'active'): StaffMember => ({
    id: 1,
    email: `${name}@example.test`,
    name,
    roles,
    waiting: [],
    state,
    locked_until: null,
    last_seen_at: null,
  });
  const all = [member('Ann', ['support']), member('Ben', ['editor']), member('Cas', ['support'], 'removed')];
  const names = (text: string, removed: boolean) => matching(all, text, removed).map(({ name }) => name);
  expect(names('', false)).toEqual(['Ann', 'Ben']);
  expect(names('support', true)).toEqual(['Ann', 'Cas']);
  expect(names(' BEN@ ', false)).toEqual(['Ben']);
});

test('an entry keeps its key when newer ones arrive and the oldest is not sent any more', () => {
  const entry = (at: string, text: string) => ({ at, service: 'raceday', kind: 'charge', text });
  const [a, b, c] = ['04:00', '04:00', '05:00'].map(time => entry(`2026-11-03T${time}:00Z`, 'Charged'));
  const before = { timeline: [b, a] as never[], notes: [] };
  const after = { timeline: [c, b, a] as never[], notes: [] };
  const keys = (record: typeof before) => entriesOf(record).map(({ key }) => key);
  expect(keys(after).slice(1)).toEqual(keys(before));
  expect(newEntries(before, after).map(({ at }) => at)).toEqual(['2026-11-03T05:00:00Z']);
  expect(newEntries(after, { timeline: [c, b] as never[], notes: [] })).toEqual([]);
});

test('the address of a call has its parameters encoded, and none that is empty', () => {
  expect(
    addressOf('GET /api/content/{catalogue}/{kind}/records', {
      path: { catalogue: 'comedy', kind: 'a/b' },
      query: { service: 'MC Funny', q: '', limit: 20 },
    }),
  ).toBe('/api/content/comedy/a%2Fb/records?service=MC%20Funny&limit=20');
  expect(addressOf('GET /api/sessions', { query: { staff: '' } })).toBe('/api/sessions');
});
