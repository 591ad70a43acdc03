import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { problem, server } from '../../dev/server';
import { onTabMessage } from '../other-tabs';
import { sendOrKeep, sendWhenOnline } from './outbox';

test('what is tapped offline is kept without the number, and its last state is sent when the connection is back', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const unlike = (meme_id: number) =>
    sendOrKeep(`like ${meme_id}`, 'DELETE /api/meme/unlike', { meme_id, ani: '27812345678' });
  const like = (id: number) =>
    sendOrKeep(`like ${id}`, 'POST /api/meme/postlike', {
      like: '1',
      created: '2026-11-28 10:00:00',
      updated: '2026-11-28 10:00:00',
      id,
      ani: '27812345678',
    });
  expect(await like(1)).toBeUndefined();
  await unlike(2);
  await unlike(1);
  await like(3);
  expect(JSON.stringify(localStorage)).not.toContain('27812345678');

  const sent: unknown[] = [];
  const changed = vi.fn();
  onTabMessage(changed);
  server.use(
    http.delete('*/api/meme/unlike', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({});
    }),
    http.post('*/api/meme/postlike', () => problem(404, 'Gone')),
  );
  sendWhenOnline();
  expect(sent).toEqual([]);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  expect(sent).toEqual([{ meme_id: 2 }, { meme_id: 1 }]);
  // The refused one is not sent again.
  expect(localStorage.getItem('spaza.outbox.mcfunny')).toBe('[]');
});

test('without a connection the rest goes on waiting', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await sendOrKeep('like 5', 'DELETE /api/meme/unlike', { meme_id: 5 });
  online.mockReturnValue(true);
  const calls = vi.fn();
  server.use(
    http.delete('*/api/meme/unlike', () => {
      calls();
      return HttpResponse.error();
    }),
  );
  sendWhenOnline();
  await vi.waitFor(() => expect(calls).toHaveBeenCalled());
  expect(localStorage.getItem('spaza.outbox.mcfunny')).toContain('like 5');
});
