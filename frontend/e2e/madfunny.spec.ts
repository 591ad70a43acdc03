import { expect } from '@playwright/test';
import { joinAndWatch } from './artists';
import { prove, site, test } from './visit';

joinAndWatch(
  {
    label: 'madfunny',
    form: '/login',
    home: '/redirect',
    videos: /\/allvideos\/\d+\/MC%20Funny\/1$/,
    video: /\/video\/\d+\/MC%20Funny\/\d+$/,
    related: /^\/video\/\d+\/MC%20Funny\/2$/,
  },
  {
    check: 'Check, result 1: /redirect on madfunny',
    plays: 'Video, comedy: a looping player that starts playing, with controls and no download',
  },
);

test('madfunny: the front page is the comedy home', async ({ page }) => {
  await page.goto(`${site('madfunny')}/`);
  await prove('/ on madfunny is the comedy home', () =>
    expect(page.getByRole('main')).toContainText('HOW TO USE THE SITE:'),
  );
});
