import { expect, test, vi } from 'vitest';
import { listSaved } from '../ui/saved-list';
import { keepContact } from './contact';
import { checkKey } from './films';

vi.mock('./films', () => ({ checkKey: vi.fn() }));
vi.mock('./saver', () => ({ keepPlayer: async () => undefined, saveOn: vi.fn() }));

test('contact is sought each 15 s until there is some, then after 45 s, and never without a saved film', async () => {
  vi.useFakeTimers();
  const attempts = async (seconds: number) => {
    const before = vi.mocked(checkKey).mock.calls.length;
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return vi.mocked(checkKey).mock.calls.length - before;
  };
  vi.mocked(checkKey).mockResolvedValue('unreachable');
  keepContact();
  expect(await attempts(60)).toBe(0);
  listSaved(['/film.m3u8'], false);
  expect(await attempts(60)).toBe(4);
  vi.mocked(checkKey).mockResolvedValue('renewed');
  expect(await attempts(15), 'the line is back').toBe(1);
  expect(await attempts(90)).toBe(2);
  vi.useRealTimers();
});
