import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { notify } from './notify';

vi.mock('./Toast', () => ({
  showToast: () => {
    throw new Error('The file is lost.');
  },
}));

test('a message is drawn in the page for five seconds when the files of toasts do not load', async () => {
  const alert = vi.fn();
  vi.stubGlobal('alert', alert);
  vi.useFakeTimers();
  await notify('You are offline.');
  expect(screen.getByRole('alert')).toHaveTextContent('You are offline.');
  expect(alert).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  vi.useRealTimers();
});
