/** The HTTP client. */
import { expect, test, vi } from 'vitest';
import { get, send } from './client';

test('writes outlive the page, but in browsers that refuse this for JSON, and no call is sent twice', async () => {
  const calls = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', calls);
  await send('POST /api/meme/postlike', { id: 1 });
  await get('/api/meme/mine');
  vi.stubGlobal('Intl', {});
  await send('POST /api/meme/postlike', { id: 1 });
  calls.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(send('POST /api/meme/postlike', { id: 1 })).rejects.toThrow('Failed to fetch');
  expect(calls.mock.calls.map(([, init]: unknown[]) => (init as RequestInit).keepalive)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
