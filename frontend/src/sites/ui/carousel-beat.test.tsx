import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useBeat, usePause } from './carousel-beat';

afterEach(() => void vi.useRealTimers());

function Row({ name, advance }: { name: string; advance: () => void }) {
  const row = useRef(null);
  const { paused, isFirst, toggle } = usePause(row, true);
  useBeat(!paused, advance);
  return (
    <section aria-label={name}>
      {isFirst && (
        <button type="button" onClick={toggle}>
          {paused ? 'play' : 'pause'}
        </button>
      )}
    </section>
  );
}

test('rows move at the same moment, and one button stops all of them', () => {
  vi.useFakeTimers();
  const moves: string[] = [];
  const first = () => moves.push(`first ${Date.now()}`);
  const second = () => moves.push(`second ${Date.now()}`);
  const page = render(<Row name="first" advance={first} />);
  // A row that comes into view later moves with the others.
  vi.advanceTimersByTime(1000);
  page.rerender(
    <>
      <Row name="first" advance={first} />
      <Row name="second" advance={second} />
    </>,
  );
  moves.length = 0;
  vi.advanceTimersByTime(9000);
  expect(moves.length).toBe(6);
  for (let at = 0; at < 6; at += 2) expect(moves[at]?.split(' ')[1]).toBe(moves[at + 1]?.split(' ')[1]);

  fireEvent.click(screen.getByRole('button', { name: 'pause' }));
  moves.length = 0;
  act(() => void vi.advanceTimersByTime(9000));
  expect(moves).toEqual([]);
  expect(screen.getAllByRole('button')).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'play' }));
  act(() => void vi.advanceTimersByTime(3001));
  expect(moves).toHaveLength(2);
});
