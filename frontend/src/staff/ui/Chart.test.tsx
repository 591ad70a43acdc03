/** A chart says in words what it draws: its summary, the values of the place that keys choose, and a table. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Chart } from './Chart';

const places = ['Mon', 'Tue', 'Wed', 'Thu'].map(name => ({ name, mark: name }));
const series = [
  { name: 'Joins', values: [3, 8, 0, null] },
  { name: 'Leaves', values: [0, 0, 0, null] },
];

function open() {
  render(
    <Chart
      title="Moves"
      of="Day"
      kind="bars"
      places={places}
      series={series}
      format={value => `${value} people`}
      short={String}
    />,
  );
  return userEvent.setup();
}

test('the summary has totals and the largest value', () => {
  open();
  expect(screen.getByText('Joins: 11 people, at most 8 people (Tue). Leaves: 0 people.')).toBeVisible();
});

test('levels are not added up: the last one stands for all, and a gap is none', () => {
  const levels = [{ name: 'Running', values: [3, 8, null, 5] }];
  render(
    <Chart
      title="Level"
      of="Day"
      kind="lines"
      places={places}
      series={levels}
      format={String}
      short={String}
      level
    />,
  );
  expect(screen.getByText('Running: 5 at the end, at most 8 (Tue).')).toBeVisible();
  const table = screen.getByRole('table', { name: 'Level' });
  expect(within(table).getByRole('row', { name: 'Wed –' })).toBeInTheDocument();
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Last, Running 5');
});

test('arrows, Home and End choose a place, and no place to come', async () => {
  const user = open();
  const slider = screen.getByRole('slider', { name: 'Moves: choose with the arrows' });
  expect(slider).toHaveAttribute('aria-valuetext', 'In all, Joins 11 people, Leaves 0 people');
  await user.tab();
  expect(slider).toHaveFocus();
  const texts: (string | null)[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'Home', 'Escape']) {
    await user.keyboard(`{${key}}`);
    texts.push(slider.getAttribute('aria-valuetext'));
  }
  expect(texts.map(text => text?.split(',')[0])).toEqual([
    'Mon',
    'Tue',
    'Mon',
    'Wed',
    'Wed',
    'Mon',
    'In all',
  ]);
  expect(texts[1]).toBe('Tue, Joins 8 people, Leaves 0 people');
  expect(slider).toHaveAttribute('aria-valuemax', '3');
});

test('the table has every place that is over', () => {
  open();
  const table = screen.getByRole('table', { name: 'Moves' });
  expect(within(table).getAllByRole('row')).toHaveLength(4);
  expect(within(table).getByRole('row', { name: 'Tue 8 people 0 people' })).toBeInTheDocument();
});
