import { expect } from '@playwright/test';
import { artistSite, openDeck } from './artists';
import {
  expectOnlyRefused,
  frontCard,
  openAsTestNumber,
  prove,
  removeEmbeddedReplies,
  site,
  test,
  touchInput,
} from './visit';

artistSite({
  label: 'mcfunny',
  name: 'MC Funny',
  service: 'MC Funny',
  form: '/login',
  home: '/redirect',
  role: 'Comedian',
  api: '/api/madfunny',
  videosOf: (artist, flag) => `/allvideos/${artist}/MC%20Funny/${flag}`,
  videos: /\/allvideos\/\d+\/MC%20Funny\/1$/,
  video: /\/video\/\d+\/MC%20Funny\/\d+$/,
  related: /^\/video\/\d+\/MC%20Funny\/2$/,
  firstVideo: '/video/1/MC%20Funny/1',
  refused: '/',
  says: {
    root: '/ on mcfunny is the comedy home',
    form: '/login is the shared login',
    words:
      'Join, comedy: "Welcome To" and the service name, "Watch unlimited! funny videos", "Enter your phone number : eg 812xxxxxx"',
    home: '/redirect is the comedy home',
    check: 'Check, result 1: /redirect on mcfunny',
    grid: '/allvideos/:artistId/:service/:flag are all videos of a comedy artist, also without the last parameter',
    player: '/video/:id/:service/:mid is the comedy single video',
    plays: 'Video, comedy: a looping player that starts playing, with controls and no download',
    nav: 'Comedy: the navigation has Home and one link per artist',
    card: 'Comedy cards show artist name, "Comedian", #id, description and image',
    howTo: 'Comedy: an intro card reads "HOW TO USE THE SITE:" and what right and left mean',
    top: 'Comedy: a card "COME BACK FOR MORE CONTENT SOON." sits at the top',
    gate: 'Grids, comedy: a card links to /video/... only when count is 1, otherwise to /',
    banner: 'Grids, comedy: the first video’s video_name is the banner title',
  },
  more: [
    { address: '/terms', shows: 'Terms and Conditions', name: 'terms' },
    {
      address: '/allvideos/1/MC%20Funny',
      shows: /\d{1,2} [A-Z]+, \d{4}/,
      name: 'videos-without-flag',
      proves: [
        '/allvideos/:artistId/:service/:flag are all videos of a comedy artist, also without the last parameter',
      ],
    },
  ],
});

const HOME = ['mcfunny', '/redirect', 'MC Funny'] as const;

test('mcfunny: a left swipe shows a cross for a second, a right swipe opens the artist with the visitor’s flag', async ({
  page,
}) => {
  await openDeck(page, 'mcfunny');
  const icon = page.locator('.deck-icon');
  await prove('Comedy: left shows a cross for 1 second', async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(icon).toHaveAttribute('data-icon', 'left');
    await page.clock.runFor(999);
    await expect(icon).toHaveCount(1);
    await page.clock.runFor(1);
    await expect(icon).toHaveCount(0);
  });
  await prove('Comedy: right goes to /allvideos/{artistId}/{service}/{flag}', async () => {
    await expect(frontCard(page)).toContainText('#3');
    await page.keyboard.press('ArrowRight');
    await expect(icon).toHaveAttribute('data-icon', 'right');
    await page.clock.runFor(1000);
    await page.waitForURL(`${site('mcfunny')}/allvideos/3/MC%20Funny/0`);
  });
});

test('mcfunny: Home links to the home page with the visitor’s number', async ({ page }) => {
  await openAsTestNumber(page, ...HOME);
  await prove('Comedy: Home links to /redirect?service=&msisdn=&result=active', async () => {
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'HOME', exact: true }).click();
    await page.waitForURL(`${site('mcfunny')}/redirect?service=MC%20Funny&msisdn=27600000000&result=active`);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  });
});

test('mcfunny: every alias of the service requests MC Funny', async ({ page }) => {
  await removeEmbeddedReplies(page);
  await prove('Service names: madfunny and Mad Funny ask for MC Funny', async () => {
    for (const name of ['madfunny', 'Mad%20Funny']) {
      const requested = page.waitForRequest('**/api/madfunny/fetchArtist?*');
      await page.goto(`${site('mcfunny')}/redirect?service=${name}&msisdn=&result=active`);
      expect(new URL((await requested).url()).searchParams.get('service')).toBe('MC Funny');
    }
  });
});

test('mcfunny: a rejected join shows a toast', async ({ page, pageErrors }) => {
  await page.goto(`${site('mcfunny')}/login`);
  const join = page.getByRole('button', { name: 'JOIN' });
  const toast = page.locator('.Toastify__toast-container--top-right .Toastify__toast--error');
  const field = page.getByPlaceholder('Enter your phone number : eg 812xxxxxx');
  await prove('Join, failure: an error toast', async () => {
    await field.fill('12345');
    await join.click();
    await expect(toast).toContainText(/South African/);
    await expect(join).toBeEnabled();
  });

  await prove('Toasts: 5000 ms, top-right, drag dismiss at 80 percent', async () => {
    const touch = await touchInput(page);
    const timer = toast.locator('.Toastify__progress-bar--animated');
    await expect(timer).toHaveCSS('animation-duration', '5s');
    // Skips the five seconds.
    await timer.evaluate(each => {
      for (const animation of each.getAnimations()) animation.finish();
    });
    await expect(toast).toHaveCount(0);

    for (const [percent, goes] of [
      [70, false],
      [90, true],
    ] as const) {
      await join.click();
      await expect(toast).toBeVisible();
      // Waits for the end of the entry animation.
      await expect.poll(() => toast.evaluate(each => each.getAnimations().length)).toBe(0);
      const box = await toast.boundingBox();
      if (!box) throw new Error('No toast to drag');
      await touch.drag({ x: box.x + 4, y: box.y + box.height / 2 }, (box.width * percent) / 100);
      if (goes) await expect(toast).toHaveCount(0);
      else {
        await expect.poll(() => toast.evaluate(each => each.getBoundingClientRect().x)).toBe(box.x);
        await toast.getByRole('button', { name: 'close' }).click();
        await expect(toast).toHaveCount(0);
      }
    }
  });
  expectOnlyRefused(pageErrors, '422');

  await prove('Subscribe failure: the toast shows error_message, else msg', async () => {
    const refusals = [
      {
        status: 409,
        json: { error_message: 'The first of both.', msg: 'Not this.' },
        shown: 'The first of both.',
      },
      { status: 200, json: { result: 0, msg: 'The second of both.' }, shown: 'The second of both.' },
    ];
    for (const { shown, ...answer } of refusals) {
      await page.route('**/api/subscribe', route => route.fulfill(answer), { times: 1 });
      await join.click();
      await expect(toast.filter({ hasText: shown })).toBeVisible();
    }
    await expect(toast.filter({ hasText: 'Not this.' })).toHaveCount(0);
  });
  expectOnlyRefused(pageErrors, '409');
});

test('mcfunny: the number is required, in any format', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/login`);
  const field = page.getByPlaceholder('Enter your phone number : eg 812xxxxxx');
  await prove(
    'Join: the phone number is required, free text, without another check of its format',
    async () => {
      await page.getByRole('button', { name: 'JOIN' }).click();
      expect(await field.evaluate((each: HTMLInputElement) => each.validity.valueMissing)).toBe(true);
      let sent = '';
      await page.route('**/api/subscribe', route => {
        sent = route.request().postDataJSON().msisdn;
        return route.fulfill({ json: { result: 2 } });
      });
      await field.fill('call me maybe');
      await page.getByRole('button', { name: 'JOIN' }).click();
      await expect.poll(() => sent).toBe('call me maybe');
    },
  );
});

test('mcfunny: a video that does not load is logged', async ({ page, pageErrors }) => {
  await openAsTestNumber(page, ...HOME);
  await page.route('**/media/**', route => route.fulfill({ status: 404 }));
  const logged = page.waitForEvent('console', message => message.text().startsWith('Video error'));
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await prove('Video load errors are only logged', async () => {
    await logged;
    await expect(page.locator('video')).toBeVisible();
    await expect(page.locator('.Toastify__toast, [role=alert]')).toHaveCount(0);
  });
  expectOnlyRefused(pageErrors, '404');
});

test('mcfunny: the player plays, pauses, loops and counts played seconds', async ({ page }) => {
  await openAsTestNumber(page, ...HOME);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  const player = page.locator('.player');
  const video = page.locator('video');
  await prove('Video: played seconds are tracked', () =>
    expect
      .poll(async () => Number(await player.getAttribute('data-played-seconds')))
      .toBeGreaterThanOrEqual(1),
  );
  await prove('Player: playing toggles on play and pause; loops', async () => {
    await expect(player).toHaveAttribute('data-playing', 'true');
    await video.evaluate((each: HTMLVideoElement) => each.pause());
    await expect(player).toHaveAttribute('data-playing', 'false');
    await video.evaluate((each: HTMLVideoElement) => {
      each.currentTime = each.duration - 0.3;
      return each.play();
    });
    await expect(player).toHaveAttribute('data-playing', 'true');
    await expect
      .poll(
        () => video.evaluate((each: HTMLVideoElement) => each.currentTime / each.duration),
        'from its end to its start',
      )
      .toBeLessThan(0.5);
  });
});
