/** The keeper sends the newest text every two seconds while it changes, one call at a time, and loses none. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeeper } from './keeper';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('while a person types, the newest text is sent every two seconds, one call at a time', async () => {
  const calls: string[] = [];
  let open = 0;
  const keeper = createKeeper(async text => {
    open += 1;
    calls.push(`${text} ${open}`);
    await new Promise(done => setTimeout(done, 3000));
    open -= 1;
  });
  for (let letters = 1; letters <= 10; letters += 1) {
    keeper.set('x'.repeat(letters));
    await vi.advanceTimersByTimeAsync(1000);
  }
  await vi.runAllTimersAsync();
  expect(calls).toEqual(['xx 1', 'xxxxx 1', 'xxxxxxxx 1', 'xxxxxxxxxx 1']);
  expect(keeper.isKept()).toBe(true);
});

test('a text that was not kept is sent later, and one that is dropped is not', async () => {
  const calls: (string | null)[] = [];
  let fails = true;
  const keeper = createKeeper(async text => {
    calls.push(text);
    if (fails) throw new Error('no connection');
  });
  keeper.set('a');
  await vi.advanceTimersByTimeAsync(4000);
  fails = false;
  keeper.set('ab');
  await vi.advanceTimersByTimeAsync(4000);
  keeper.set(null);
  await keeper.flush();
  await keeper.flush();
  expect(calls).toEqual(['a', 'a', 'ab', null]);
});

test('nothing is sent again after the last attempt', async () => {
  let calls = 0;
  const keeper = createKeeper(async () => {
    calls += 1;
    throw new Error('no connection');
  });
  keeper.set('a');
  await keeper.close();
  await vi.runAllTimersAsync();
  expect(calls).toBe(1);
});
