import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { labelToasts, notify } from './notify';

const seen = vi.hoisted(() => ({ props: {}, shown: [] as unknown[][] }));
vi.mock('react-toastify/unstyled', () => ({
  ToastContainer: (props: object) => {
    seen.props = props;
    return null;
  },
  toast: {
    error: (...shown: unknown[]) => seen.shown.push(['error', ...shown]),
    success: (...shown: unknown[]) => seen.shown.push(['success', ...shown]),
  },
}));

test('toasts are at the top right for 5000 ms and close when dragged over 80 percent', async () => {
  labelToasts(() => ({ region: 'Notifications', close: 'Close' }));
  await notify('It did not work.');
  await notify('The link is copied.', 'done');
  await waitFor(() =>
    expect(seen.props).toMatchObject({
      position: 'top-right',
      autoClose: 5000,
      draggable: true,
      draggablePercent: 80,
      'aria-label': 'Notifications',
    }),
  );
  expect(seen.shown).toEqual([
    ['error', 'It did not work.', { toastId: 'It did not work.' }],
    ['success', 'The link is copied.', { toastId: 'The link is copied.' }],
  ]);
});
