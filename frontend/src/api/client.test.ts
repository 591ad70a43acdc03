/** The HTTP client. */
import { expect, test, vi } from 'vitest';
import { get, post } from './client';

test('writes outlive the page, but in browsers that refuse this for JSON, and no call is sent twice', async () => {
  const calls = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', calls);
  await post('/api/meme/postlike', {});
  await get('/api/meme/mine');
  vi.stubGlobal('Intl', {});
  await post('/api/meme/postlike', {});
  calls.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(post('/api/meme/postlike', {})).rejects.toThrow('Failed to fetch');
  expect(calls.mock.calls.map(([, init]: unknown[]) => (init as RequestInit).keepalive)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
