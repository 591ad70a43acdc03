import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { memeBrand, ttBrand } from '../dev/brands';
import { openPage } from '../dev/render';
import { problem, server, signedIn } from '../dev/server';

const HOME = '/redirectTo?service=memeworld&msisdn=27812345678&result=active';

test('a visitor whose address says active must confirm the number', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  let sent: unknown;
  server.use(
    http.post('*/api/subscribe/verify', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ redirectUrl: 'http://operator.test/confirm' });
    }),
  );
  const { user } = openPage(HOME, memeBrand);
  await user.click(await screen.findByRole('button', { name: "Confirm it's you" }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/confirm'));
  expect(sent).toEqual({ msisdn: '27812345678', svc_id: 150 });
});

test('an inactive number shows an error', async () => {
  server.use(http.post('*/api/subscribe/verify', () => problem(409, 'This number is not active.')));
  const { user } = openPage(HOME, memeBrand);
  await user.click(await screen.findByRole('button', { name: "Confirm it's you" }));
  expect(await screen.findByText('This number is not active.')).toBeInTheDocument();
});

test('a subscriber with a session sees no bar', async () => {
  server.use(signedIn());
  openPage(HOME, memeBrand);
  await screen.findByRole('button', { name: /^Like Meme 1, / });
  expect(screen.queryByRole('button', { name: "Confirm it's you" })).not.toBeInTheDocument();
});

test('an old active address of a person who has left shows the price and JOIN', async () => {
  server.use(signedIn({ state: 'cancelled' }));
  openPage(HOME, memeBrand);
  const bar = await screen.findByRole('complementary', { name: 'Join' });
  expect(bar).toHaveTextContent('R3/day');
  expect(within(bar).getByRole('link', { name: 'JOIN' })).toHaveAttribute('href', '/memelogin');
  expect(screen.queryByRole('button', { name: "Confirm it's you" })).not.toBeInTheDocument();
});

test('the test number requests its session once', async () => {
  const claims: unknown[] = [];
  server.use(
    http.post('*/api/session/test', async ({ request }) => {
      claims.push(await request.json());
      return HttpResponse.json({});
    }),
    signedIn(),
  );
  openPage('/redirectTo?service=memeworld&msisdn=27600000000&result=active', memeBrand);
  await screen.findByRole('button', { name: /^Like Meme 1, / });
  await waitFor(() => expect(claims).toEqual([{ msisdn: '27600000000', svc_id: 150 }]));
});

test('the test number requests a session for each brand in a tab', async () => {
  const claims: number[] = [];
  server.use(
    http.post('*/api/session/test', async ({ request }) => {
      const { svc_id } = (await request.json()) as { svc_id: number };
      claims.push(svc_id);
      return HttpResponse.json({});
    }),
    signedIn(),
  );
  const HOME_OF_TEST = '/redirectTo?service=memeworld&msisdn=27600000000&result=active';
  for (const [address, brand, expected] of [
    [HOME_OF_TEST, memeBrand, [150]],
    [HOME_OF_TEST, memeBrand, [150]],
    ['/ttredirect?service=ttmbhatv&msisdn=27600000000&result=active', ttBrand, [150, 152]],
  ] as const) {
    openPage(address, brand);
    await screen.findByRole('contentinfo');
    await waitFor(() => expect(claims).toEqual(expected));
    cleanup();
  }
});

test('a page without a session cookie does not request the session', async () => {
  let requested = 0;
  server.use(
    http.get('*/api/subscribe/me', () => {
      requested += 1;
      return problem(401, 'No session');
    }),
  );
  // The tests above may have opened a session in this page; a fresh module starts without one.
  vi.resetModules();
  const { openPage: openFresh } = await import('../dev/render');
  openFresh('/', { ...memeBrand, session: false });
  await screen.findByRole('button', { name: /^Like Meme 1, / });
  expect(requested).toBe(0);
});
