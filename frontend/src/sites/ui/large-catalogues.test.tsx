import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { comedyBrand, memeBrand, ttBrand } from '../../dev/brands';
import { openPage } from '../../dev/render';
import { LongText } from './LongText';
import { Picture } from './Picture';

test('a missing picture has initials, and a name for readers where it has a text', () => {
  const frame = { width: 10, height: 10, sizes: '10px' };
  render(
    <>
      <Picture src="" alt="Loadshed Lwazi" {...frame} />
      <Picture src="" alt="" name="gogo" {...frame} />
    </>,
  );
  expect(screen.getByRole('img', { name: 'Loadshed Lwazi' })).toHaveTextContent(/^LL$/);
  expect(screen.getByText('G').parentElement).not.toHaveAttribute('role');
});

test('a long description folds between two words, and a short one does not', () => {
  const text = 'word '.repeat(100).trim();
  const { container, rerender } = render(<LongText text={text} />);
  expect(container.querySelector('details')).not.toHaveAttribute('open');
  expect(container.textContent?.replace('… More', '')).toBe(text);
  expect(container.querySelector('summary')?.textContent).toMatch(/word… More$/);
  rerender(<LongText text="Short." />);
  expect(container.querySelector('details')).toBeNull();
});

test.each([
  ['faces', comedyBrand, /^Lerato Mokoena$/],
  ['categories', ttBrand, /./],
  ['memes', memeBrand, /^Open Meme/],
] as const)('the search page shows %s before a letter is typed', async (_, brand, name) => {
  openPage('/search', brand);
  const main = await screen.findByRole('main');
  await screen.findByRole('searchbox');
  const role = brand === memeBrand ? 'button' : 'link';
  expect((await screen.findAllByRole(role, { name })).some(each => main.contains(each))).toBe(true);
});
