import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { comedyBrand, footballBrand, memeBrand, racingBrand, ttBrand } from '../../../dev/brands';
import { openPage } from '../../../dev/render';
import { problem, server } from '../../../dev/server';

const field = () => screen.findByPlaceholderText('Enter your phone number : eg 812xxxxxx');
const assign = vi.fn();

beforeEach(() => {
  assign.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
});

describe('the join form', () => {
  test('sends a new number to the operator', async () => {
    let sent: unknown;
    server.use(
      http.post('*/api/subscribe', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ result: 1, redirectUrl: 'http://operator.test/x', subscriptionId: 'abc' });
      }),
    );
    const { user } = openPage('/login?ext_ref=ad7');
    await user.type(await field(), '812345678');
    await user.click(screen.getByRole('button', { name: 'JOIN' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/x'));
    expect(sent).toMatchObject({
      msisdn: '812345678',
      ext_ref: 'ad7',
      channel: 'WAP',
      svc_id: 148,
      shown: '300.day.0.',
    });
    // Until the browser leaves the page a second tap does nothing.
    expect(screen.getByRole('button', { name: 'Loading...' })).toBeDisabled();
  });

  test('asks for no number where the network tells who the visitor is', async () => {
    let sent: unknown;
    server.use(
      http.post('*/api/subscribe', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ result: 1, redirectUrl: 'http://operator.test/x', subscriptionId: 'abc' });
      }),
    );
    const { user } = openPage('/login', { ...comedyBrand, enriched: true });
    await user.click(await screen.findByRole('button', { name: 'JOIN' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/x'));
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(sent).toMatchObject({ msisdn: '', ext_ref: '', channel: 'WAP', svc_id: 148, shown: '300.day.0.' });
  });

  test('opens the home page for an active number', async () => {
    server.use(http.post('*/api/subscribe', () => HttpResponse.json({ result: 2 })));
    const { user, address } = openPage('/login');
    await user.type(await field(), '812345678{Enter}');
    await waitFor(() =>
      expect(address()).toBe('/redirect?service=MC%20Funny&msisdn=812345678&result=active'),
    );
  });

  test('lets the visitor choose the network where the server does not know it', async () => {
    const sent: unknown[] = [];
    const networks = [
      { network: 'one', name: 'First Mobile', price_cents: 300, period: 'day' as const },
      { network: 'other', name: 'Second Mobile', price_cents: 450, period: 'day' as const },
    ];
    server.use(
      http.post('*/api/subscribe', async ({ request }) => {
        sent.push(await request.json());
        const chosen = { result: 1, redirectUrl: 'http://operator.test/x', subscriptionId: 'abc' };
        return HttpResponse.json(sent.length === 1 ? { result: 3, networks } : chosen);
      }),
    );
    const { user } = openPage('/login');
    await user.type(await field(), '812345678{Enter}');
    expect(await screen.findByText('Which network is your number on?')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /First Mobile · R3\/day/ })).toBeInTheDocument();
    expect(assign).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: /Second Mobile · R4.50\/day/ }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/x'));
    expect(sent[1]).toMatchObject({
      msisdn: '812345678',
      ext_ref: '',
      channel: 'WAP',
      svc_id: 148,
      network: 'other',
      shown: '300.day.0.~450.day.0.',
    });
  });

  test('joins at a changed price only after the visitor has seen it', async () => {
    const [shown, sent]: [unknown[], unknown[]] = [[], []];
    const networks = [{ network: 'one', name: 'First Mobile', price_cents: 500, period: 'day' }];
    const error_message = 'The price has changed.';
    server.use(
      http.post('*/api/subscribe/challenge', async ({ request }) => {
        const requested = (await request.json()) as { shown: string };
        shown.push(requested.shown);
        return HttpResponse.json({ challenge: `press.148.${parseInt(requested.shown, 10)}.x.y` });
      }),
      http.post('*/api/subscribe', async ({ request }) => {
        sent.push(await request.json());
        const chosen = { result: 1, redirectUrl: 'http://operator.test/x', subscriptionId: 'abc' };
        return HttpResponse.json(sent.length === 1 ? { result: 3, networks, error_message } : chosen);
      }),
    );
    const { user } = openPage('/login');
    await user.type(await field(), '812345678{Enter}');
    expect(await screen.findByText(error_message)).toBeInTheDocument();
    const button = screen.getByRole('button', { name: /First Mobile · R5\/day/ });
    expect(screen.getByText(/18\+/, { selector: '.price-line' })).toHaveTextContent(/^R5\/day/);
    expect(assign).not.toHaveBeenCalled();
    await user.click(button);
    await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/x'));
    // Strict mode shows the form twice.
    expect([...new Set(shown)]).toEqual(['300.day.0.', '500.day.0.']);
    expect(sent).toMatchObject([
      { shown: '300.day.0.', challenge: 'press.148.300.x.y' },
      { shown: '500.day.0.', network: 'one', challenge: 'press.148.500.x.y' },
    ]);
    // Toasts stay for the next test.
    await user.click(screen.getByRole('button', { name: 'Close' }));
  });

  test('offers the number of the SIM on networks that tell it, beside typing', async () => {
    const by_sim = [{ network: 'one', name: 'First Mobile', price_cents: 450, period: 'day' as const }];
    openPage('/login?ext_ref=ad%207', { ...comedyBrand, by_sim });
    const link = await screen.findByRole('link', {
      name: /^Use the number of this SIM · First Mobile · R4.50\/day/,
    });
    expect(link).toHaveAttribute('href', '/api/subscribe/verify-number?network=one&ext_ref=ad%207');
    expect(await field()).toBeRequired();
    expect(screen.getByRole('button', { name: 'JOIN' })).toBeEnabled();
  });

  test.each([
    ['unknown', /could not read the number of this SIM.*Nothing is charged/],
    ['failed', /has not given us the number of this SIM.*Nothing is charged/],
    ['held', /did not look like a person.*Please type your number.*Nothing is charged/],
  ])('says in words why a SIM has no number: %s', async (sim, words) => {
    openPage(`/login?sim=${sim}`);
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(await field()).toBeEnabled();
  });

  test('says nothing about a SIM otherwise', async () => {
    openPage('/login?sim=constructor');
    expect(await field()).toBeRequired();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /SIM/ })).not.toBeInTheDocument();
  });

  test('says when the first charge is made, and what is charged when airtime is low', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-26T22:30:00Z'), toFake: ['Date'] });
    openPage('/login', { ...comedyBrand, free_days: 1, parts: [300, 200, 100] });
    const first = 'First day free, once per number; the first R3 is charged on 28 November.';
    const line = await screen.findByText(`${first} R3, or R2 or R1 when airtime is low.`);
    expect(line.closest('p')).toHaveTextContent(/^R3\/day · 18\+/);
    vi.useRealTimers();
  });

  const challenged = http.post('*/api/subscribe/challenge', () =>
    HttpResponse.json({ challenge: 'press.148.7.x.y' }),
  );
  const toNetwork = { result: 1, redirectUrl: 'http://operator.test/x', subscriptionId: 'abc' };

  test('sends its challenge to the network that recognises the SIM', async () => {
    server.use(challenged);
    const by_sim = [{ network: 'one', name: 'First Mobile', price_cents: 450, period: 'day' as const }];
    const { user } = openPage('/login?ext_ref=ad%207', { ...comedyBrand, by_sim });
    await user.click(await screen.findByRole('link', { name: /^Use the number of this SIM/ }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    const address = new URL(String(assign.mock.calls[0]?.[0]), 'http://localhost');
    expect(address.pathname).toBe('/api/subscribe/verify-number');
    const sent = ['network', 'ext_ref', 'challenge'].map(name => address.searchParams.get(name));
    expect(sent).toEqual(['one', 'ad 7', 'press.148.7.x.y']);
  });

  test('sends its challenge, which counts once', async () => {
    const sent: unknown[] = [];
    let issued = 0;
    server.use(
      http.post('*/api/subscribe/challenge', () => {
        issued += 1;
        return HttpResponse.json({ challenge: `press.148.${issued}.x.y` });
      }),
      http.post('*/api/subscribe', async ({ request }) => {
        sent.push(await request.json());
        return sent.length === 1 ? problem(503, 'Later.') : HttpResponse.json(toNetwork);
      }),
    );
    const { user } = openPage('/login?anti_fraud_token=of-the-network');
    await user.type(await field(), '812345678{Enter}');
    expect(await screen.findByText('Later.')).toBeInTheDocument();
    // Strict mode shows the page twice; the first two may be issued in either order.
    const first = { msisdn: '812345678', anti_fraud_token: 'of-the-network', code: '', homepage: '' };
    expect(sent[0]).toMatchObject({ ...first, challenge: expect.stringMatching(/^press\.148\.[12]\.x\.y$/) });
    await user.click(await screen.findByRole('button', { name: 'JOIN' }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(sent[1]).toMatchObject({ challenge: 'press.148.3.x.y' });
  });

  test('a held join goes on with the code', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/subscribe', async ({ request }) => {
        sent.push(await request.json());
        const held = { result: 4, error_message: 'Type the code.', challenge: 'code.148.8.x.y', code: '472' };
        return HttpResponse.json(sent.length === 1 ? held : toNetwork);
      }),
    );
    const { user } = openPage('/login');
    await user.type(await field(), '812345678{Enter}');
    expect(await screen.findByText('Type the code.')).toBeInTheDocument();
    await user.type(await screen.findByLabelText('Type 472 to show that you are a person'), '472');
    expect(await field()).toHaveValue('812345678');
    await user.click(screen.getByRole('button', { name: 'JOIN' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/x'));
    expect(sent[1]).toMatchObject({ challenge: 'code.148.8.x.y', code: '472' });
  });

  test('shows the server’s error message, and marks the field until the next input', async () => {
    server.use(
      http.post('*/api/subscribe', () => problem(422, 'That is not a South African mobile number.')),
    );
    const { user } = openPage('/login');
    await user.type(await field(), '12{Enter}');
    expect(await screen.findByText('That is not a South African mobile number.')).toBeInTheDocument();
    // The message is of another root, which may be rendered first.
    await waitFor(async () => expect(await field()).toBeInvalid());
    expect(await field()).toHaveFocus();
    expect(screen.getByRole('button', { name: 'JOIN' })).toBeEnabled();
    await user.keyboard('3');
    expect(await field()).not.toHaveAttribute('aria-invalid');
  });

  test('the test number skips the server', async () => {
    server.use(http.post('*/api/session/test', () => HttpResponse.json({})));
    const { user, address } = openPage('/login');
    await user.type(await field(), '060 000 0000{Enter}');
    await waitFor(() =>
      expect(address()).toContain('/redirect?service=MC%20Funny&msisdn=060%20000%200000&result=active'),
    );
  });

  test('the meme form accepts only digits', async () => {
    const { user } = openPage('/memelogin', memeBrand);
    expect(await screen.findByRole('heading', { name: 'Sign in to MEMEWORLD!' })).toBeInTheDocument();
    await user.type(await field(), '+27 81-2');
    expect(await field()).toHaveValue('27812');
  });

  test.each([
    ['/login', comedyBrand, '+27 81-2', '+27 81-23'],
    ['/memelogin', memeBrand, '+27 81-2', '278123'],
  ])('%s goes on from a form that the server wrote, and stays with whoever is typing', async (...each) => {
    const [address, brand, typed, expected] = each;
    const root = document.createElement('div');
    root.id = 'root';
    root.innerHTML = '<form method="post" action="/join"><input name="msisdn"></form>';
    document.body.append(root);
    const written = root.querySelector('input') as HTMLInputElement;
    written.focus();
    // With fresh modules the page's code is still loading, and the server-rendered form is visible.
    vi.resetModules();
    const { openPage: openFresh } = await import('../../../dev/render');
    const { user } = openFresh(address, brand, root);
    expect(written.isConnected).toBe(true);
    written.value = typed;
    await waitFor(async () => expect(await field()).toHaveFocus());
    expect(written.isConnected).toBe(false);
    await user.keyboard('3');
    expect(await field()).toHaveValue(expected);
  });

  test('a form that the gateway shows again goes on with what it says, once', async () => {
    const form = document.body.appendChild(document.createElement('script'));
    const network = { network: 'one', name: 'First Mobile', price_cents: 300, period: 'day' };
    const shown = {
      problem: 'Not on this network.',
      networks: [network],
      held: { challenge: 'c.1', code: '472' },
    };
    Object.assign(form, { id: 'form', type: 'application/json', textContent: JSON.stringify(shown) });
    const { go } = openPage('/join');
    expect(await screen.findByText('Not on this network.')).toHaveRole('alert');
    expect(screen.getByRole('button', { name: 'JOIN · First Mobile · R3/day' })).toBeEnabled();
    expect(screen.getByRole('textbox', { name: /472/ })).toHaveValue('');
    await go('/terms');
    await screen.findByRole('heading', { name: 'Terms and Conditions' });
    await go('/join');
    expect(await screen.findByRole('button', { name: 'JOIN' })).toBeEnabled();
    expect(screen.queryByText('Not on this network.')).not.toBeInTheDocument();
  });

  test.each([
    ['/login', comedyBrand, ['Welcome To MC Funny', 'Watch unlimited! funny videos']],
    ['/diskilogin', footballBrand, ['Welcome To diski99', 'Watch unlimited! funny videos']],
    ['/ttlogin', ttBrand, ['Watch unlimited videos', 'ENTER YOUR NUMBER AND JOIN']],
    ['/racedaylogin', racingBrand, ['Watch unlimited videos', 'ENTER YOUR NUMBER AND JOIN']],
  ])('%s has its words, the price and the way out', async (address, brand, words) => {
    openPage(address, brand);
    expect(await field()).toBeRequired();
    for (const word of words) expect(document.body.textContent).toContain(word);
    expect(screen.getByText('R3/day')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'how to stop' })).toHaveAttribute('href', '/subscription');
    expect(screen.getByRole('checkbox', { name: 'I agreed to the Terms and Conditions' })).not.toBeRequired();
  });
});

describe('coming back from the operator', () => {
  const back = '/DoiRedirect?msisdn=27812345678&subscription_id=abc&ext_ref=x';
  const answer = (reply: object) => http.get('*/api/subscribe/check-sub', () => HttpResponse.json(reply));
  const replace = vi.fn();

  beforeEach(() => {
    replace.mockReset();
    vi.spyOn(window.location, 'replace').mockImplementation(replace);
  });

  test.each([
    [comedyBrand, '/redirect'],
    [{ ...comedyBrand, label: 'madfunny' }, '/redirect'],
    [memeBrand, '/redirectTo'],
    [ttBrand, '/ttredirect'],
    [racingBrand, '/ttredirect'],
    [footballBrand, '/doRedirect'],
  ])('a confirmed try goes home: $label', async (brand, home) => {
    // The reply waits until the page was checked.
    let goOn = () => {};
    const seen = new Promise<void>(resolve => {
      goOn = resolve;
    });
    server.use(
      http.get('*/api/subscribe/check-sub', async () => {
        await seen;
        return HttpResponse.json({ result: 1, state: 'active', session: true });
      }),
    );
    openPage(back, brand);
    expect(await screen.findByText('redirecting....')).toBeInTheDocument();
    goOn();
    await waitFor(() => expect(replace).toHaveBeenCalledTimes(1));
    // A document: what opened the session is said there, by the gateway.
    expect(replace.mock.calls[0]?.[0]).toMatch(
      new RegExp(`^${home}\\?service=.*&msisdn=27812345678&result=active$`),
    );
  });

  test('the page has a way on that needs no script', async () => {
    server.use(answer({ result: 0, state: 'waiting', session: false }));
    openPage(back);
    expect(await screen.findByRole('link', { name: 'Continue' })).toHaveAttribute(
      'href',
      '/forms/check?msisdn=27812345678&subscription_id=abc&ext_ref=x',
    );
  });

  test('an open session wins over an older declined attempt', async () => {
    server.use(answer({ result: 0, state: 'declined', session: true }));
    openPage(back);
    await waitFor(() =>
      expect(replace).toHaveBeenCalledWith('/redirect?service=MC%20Funny&msisdn=&result=active'),
    );
  });

  test('at a network without a page the visitor replies to an SMS, and the page goes on by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let checks = 0;
    server.use(
      http.get('*/api/subscribe/check-sub', () => {
        checks += 1;
        const active = checks >= 3;
        return HttpResponse.json({ result: Number(active), state: active ? 'active' : 'waiting' });
      }),
    );
    openPage(`${back}&reply=yes`);
    expect(await screen.findByText('Reply YES to the SMS that we sent you.')).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(replace).toHaveBeenCalledWith(expect.stringMatching(/^\/redirect\?/)));
    expect(checks).toBe(3);
    vi.useRealTimers();
  });

  test('a visitor who has left the page stays where she is, whatever the network answers later', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let checks = 0;
    server.use(
      http.get('*/api/subscribe/check-sub', () => {
        checks += 1;
        return HttpResponse.json(
          checks < 2 ? { result: 0, state: 'waiting' } : { result: 1, state: 'active' },
        );
      }),
    );
    const { go, address } = openPage(`${back}&reply=yes`);
    expect(await screen.findByText('Reply YES to the SMS that we sent you.')).toBeInTheDocument();
    await waitFor(() => expect(checks).toBe(1));
    go('/terms');
    await screen.findByRole('heading', { level: 1, name: /terms/i });
    await vi.advanceTimersByTimeAsync(30_000);
    expect([checks, address()]).toEqual([1, '/terms']);
    expect(replace).not.toHaveBeenCalled();
    vi.useRealTimers();
  });

  test.each([
    ['&code=4821&to=31222', 'Reply YES 4821 to the SMS that we sent you, or send it to 31222.'],
    // An address that another person made.
    ['&code=call+me&to=090012345', 'Reply YES to the SMS that we sent you.'],
  ])('says what to send, and only to our own number: %s', async (more, words) => {
    server.use(answer({ result: 0, state: 'waiting', session: false }));
    openPage(`${back}${more}&reply=yes`);
    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  test('a leave at a network without a page waits for nothing', async () => {
    openPage(`${back}&reply=stop`);
    expect(await screen.findByText('Reply STOP to the SMS that we sent you.')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Continue' })).not.toBeInTheDocument();
  });

  test.each(['declined', 'ended', 'unknown'])('the state %s leads to the front page', async state => {
    server.use(answer({ result: 0, state, session: false }));
    openPage(back);
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/'));
  });

  test('a failed check leads to the front page', async () => {
    server.use(http.get('*/api/subscribe/check-sub', () => problem(503, 'Down')));
    openPage(back);
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/'));
  });
});

describe('what the visitor wanted', () => {
  test('goes along with the join', async () => {
    let sent: unknown;
    server.use(
      http.post('*/api/subscribe', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ result: 1, redirectUrl: 'http://operator.test/x', subscriptionId: 'abc' });
      }),
    );
    const { user } = openPage('/ttlogin?page=%2Fttsingle%2F3%2Fttmbhatv', ttBrand);
    await user.type(await field(), '812345678{Enter}');
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(sent).toMatchObject({ page: '/ttsingle/3/ttmbhatv' });
    const form = document.querySelector('form.join');
    expect(form).toHaveAttribute('action', '/join?page=%2Fttsingle%2F3%2Fttmbhatv');
    expect(form?.querySelector('[name=page]')).toHaveValue('/ttsingle/3/ttmbhatv');
  });

  test('a browser without cookies sends the form to the gateway, which says why nothing is joined', async () => {
    const calls = vi.fn();
    server.use(http.post('*/api/subscribe', calls));
    vi.spyOn(window.navigator, 'cookieEnabled', 'get').mockReturnValue(false);
    const { user } = openPage('/login');
    const submitted = vi.fn((event: Event) => {
      expect(event.defaultPrevented).toBe(false);
      event.preventDefault();
    });
    window.addEventListener('submit', submitted, { once: true });
    await user.type(await field(), '812345678{Enter}');
    await waitFor(() => expect(submitted).toHaveBeenCalled());
    expect(calls).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
