/** Times, roles, addresses and the checks of forms. */
import { describe, expect, test } from 'vitest';
import { dateTime, device, grouped } from './format';
import { invitationForm, inviteForm, signInForm } from './forms';
import { nextIndex } from './keyboard';
import { returnPath } from './paths';
import { navigation, withoutScreens } from './roles';
import { matching } from './screens/StaffScreen';
import type { Member, Role } from './types';

test('times are those of Johannesburg, also across midnight', () => {
  expect(dateTime('2026-11-02T22:30:00Z')).toBe('3 Nov 2026, 00:30');
});

test('a key is grouped by four characters', () => {
  expect(grouped('JBSWY3DPEHPK3PXPAB')).toBe('JBSW Y3DP EHPK 3PXP AB');
});

test('a device is named by browser and system', () => {
  const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
  expect([device(chrome), device('curl/8.5.0'), device('')]).toEqual(['Chrome, Android', 'curl', undefined]);
});

test('each role has its screens and no others', () => {
  const names = (roles: Role[]) =>
    navigation({ roles }).flatMap(({ screens }) => screens.map(({ name }) => name));
  expect(names(['editor'])).toEqual(['Start', 'My sessions']);
  expect(names(['administrator'])).toEqual(['Start', 'Staff', 'Audit log', 'My sessions']);
  expect(names(['administrator', 'support'])).toHaveLength(4);
  expect(withoutScreens({ roles: ['support', 'finance'] })).toEqual(['support', 'finance']);
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

  test('an invitation needs a role', () => {
    expect(faultsOf(inviteForm.safeParse({ email: 'a@example.test', name: 'A', roles: [] }))).toEqual([
      'roles',
    ]);
    expect(faultsOf(inviteForm.safeParse({ email: 'a@example.test', name: 'A', roles: ['owner'] }))).toEqual([
      'roles.0',
    ]);
  });
});

test('the staff list is filtered by name, address and role', () => {
  const member = (name: string, roles: Role[], state: Member['state'] = 'active'): Member => ({
    id: 1,
    email: `${name}@example.test`,
    name,
    roles,
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
