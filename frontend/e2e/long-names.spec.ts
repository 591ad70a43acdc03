/** Long names, many artists and missing pictures: nothing widens a page of 320 px, and each picture has a name for screen readers. */
import { expect, type Page } from '@playwright/test';
import { expectNoAxeFindings, removeEmbeddedReplies, screenshot, site, test } from './visit';

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await removeEmbeddedReplies(page);
});

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test('memes: the menu of categories stays on the screen', async ({ page }) => {
  await page.route('**/api/meme/getMemeCategories*', route =>
    route.fulfill({
      json: [
        { id: 1, name: LONG },
        { id: 2, name: 'Cats' },
      ],
    }),
  );
  await page.goto(`${site('memeworld')}/`);
  await page.getByRole('button', { name: 'Browse Category' }).tap();
  await expect(page.locator('.menu-large').getByRole('link', { name: LONG })).toBeVisible();
  expect(await widthOf(page)).toBe(320);
  const { left, right } = await page
    .locator('.menu-large .menu-list')
    .evaluate(each => each.getBoundingClientRect());
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(320);
});

test('video on demand: menu and headings break', async ({ page }) => {
  const groups = await (await page.request.get(`${site('ttmbhatv')}/api/tt/getcatvideos/ttmbhatv`)).json();
  groups[0].category.category_name = LONG;
  await page.route('**/api/tt/getcatvideos/*', route => route.fulfill({ json: groups.slice(0, 2) }));
  await page.route('**/api/tt/getCategory/*', route =>
    route.fulfill({ json: [{ id: groups[0].category.id, category_name: LONG }] }),
  );
  await page.goto(`${site('ttmbhatv')}/`);
  const heading = page.getByRole('heading', { name: LONG });
  await expect(heading).toBeVisible();
  expect(await heading.evaluate(each => each.getBoundingClientRect().right)).toBeLessThanOrEqual(320);
  expect(await widthOf(page)).toBe(320);
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('button', { name: 'CATEGORIES' }).tap();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: LONG })).toBeVisible();
  expect(await menu.evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0);
});

test('a long film reads its hours, folds its text, and has initials in the place of its picture', async ({
  page,
  pageErrors,
}) => {
  const address = '/api/tt/ttsinglevideo/1';
  const film = await (await page.request.get(site('ttmbhatv') + address)).json();
  const text = `${LONG} ${'A road through the night. '.repeat(20)}The end.`;
  await page.route(`**${address}`, route =>
    route.fulfill({ json: { ...film, video_name: text, duration_s: 6307 } }),
  );
  await page.route('**/img/**', route => route.abort());
  await page.goto(`${site('ttmbhatv')}/ttsingle/1/ttmbhatv`);
  await expect(page.locator('.watch-facts')).toContainText('1:45:07');
  const end = page.getByText('The end.');
  await expect(end).toBeHidden();
  expect(await widthOf(page)).toBe(320);
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeInViewport();
  await page.locator('.long-text summary').tap();
  await expect(end).toBeVisible();
  expect(await widthOf(page)).toBe(320);
  const related = page.getByRole('region', { name: 'Related Videos' });
  await related.scrollIntoViewIfNeeded();
  await expect(related.locator('.picture-missing').first()).toHaveText(/^[A-Z]{1,2}$/);
  await expectNoAxeFindings(page);
  pageErrors.push(...pageErrors.splice(0).filter(each => !/ERR_FAILED/.test(each)));
});

test('artists: the chosen one of hundreds stands first in the row, with initials where its picture is missing', async ({
  page,
  pageErrors,
}) => {
  const [artist] = await (
    await page.request.get(`${site('mcfunny')}/api/madfunny/fetchArtist?service=MC%20Funny&limit=1`)
  ).json();
  const many = Array.from({ length: 60 }, (_, nth) => ({
    ...artist,
    id: nth + 1,
    artist: `Comic ${nth + 1}`,
  }));
  await page.route('**/api/madfunny/fetchArtist*', route => route.fulfill({ json: many }));
  await page.route('**/img/**', route => route.abort());
  for (const [id, name] of [
    [5, 'Comic 5'],
    [1, 'Comic 1'],
  ] as const) {
    await page.goto(`${site('mcfunny')}/allvideos/${id}/MC%20Funny/1`);
    const chosen = page.locator('.artist-rail a[aria-current=page]');
    await expect(chosen).toHaveText(new RegExp(name));
    await expect(chosen).toBeInViewport({ ratio: 1 });
    await expect(chosen.locator('.picture-missing')).toHaveText(`C${id}`);
  }
  await expectNoAxeFindings(page);
  await page.goto(`${site('mcfunny')}/search`);
  await expect(
    page.locator('.search-faces').getByRole('link', { name: 'Comic 7', exact: true }),
  ).toBeVisible();
  await expectNoAxeFindings(page);
  pageErrors.push(...pageErrors.splice(0).filter(each => !/ERR_FAILED/.test(each)));
});

test('all of hundreds of artists, from A to Z, by letter and by a part of the name', async ({
  page,
  pageErrors,
}) => {
  const [artist] = await (
    await page.request.get(`${site('mcfunny')}/api/madfunny/fetchArtist?service=MC%20Funny&limit=1`)
  ).json();
  const many = Array.from({ length: 180 }, (_, nth) => ({
    ...artist,
    id: nth + 1,
    artist: nth === 7 ? LONG : `${String.fromCharCode(65 + (nth % 26))} Comic ${nth + 1}`,
  }));
  await page.route('**/api/madfunny/fetchArtist*', route => route.fulfill({ json: many }));
  await page.goto(`${site('mcfunny')}/allvideos/5/MC%20Funny/1`);
  await page.getByRole('link', { name: 'All artists' }).tap();
  await expect(page).toHaveURL(`${site('mcfunny')}/artists`);
  const faces = page.locator('.search-faces').getByRole('link');
  await expect(faces.first()).toHaveText('A Comic 1');
  expect(await widthOf(page)).toBe(320);
  // About sixty of them are in the document.
  expect(await faces.count()).toBeLessThan(100);
  for (const size of await page
    .locator('.artists-letters button')
    .evaluateAll(all => all.map(each => [each.clientWidth, each.clientHeight])))
    expect(Math.min(...size)).toBeGreaterThanOrEqual(44);
  await page.getByRole('button', { name: 'D', exact: true }).tap();
  await expect(page.getByRole('link', { name: LONG })).toBeVisible();
  expect(await widthOf(page)).toBe(320);
  await screenshot(page, 'mcfunny-all-artists-320');
  await expectNoAxeFindings(page);
  await page.getByRole('searchbox').fill('comic 33');
  await expect(faces).toHaveText(['G Comic 33']);
  await faces.first().tap();
  await expect(page).toHaveURL(`${site('mcfunny')}/allvideos/33/MC%20Funny/1`);
  pageErrors.push(...pageErrors.splice(0).filter(each => !/404/.test(each)));
});
