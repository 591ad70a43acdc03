import { afterEach, expect, test } from 'vitest';
import { footballBrand, racingBrand, serveBrand } from '../dev/brands';
import { paths } from './paths';

/** happy-dom's own way to change the address without loading it. */
const visit = (url: string) =>
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);

afterEach(() => visit('http://mcfunny.localhost:8080/'));

test('paths returns every address', () => {
  const shown = {
    root: paths.root(),
    join: paths.join(),
    home: paths.home('27812345678'),
    homeWithoutNumber: paths.home(''),
    joinForm: paths.joinForm(''),
    joinFormOfCampaign: paths.joinForm('ad 7'),
    joinToComeBack: paths.join('/ttsingle/3/x'),
    joinFormToComeBack: paths.joinForm('ad 7', '/ttsingle/3/x'),
    optIn: paths.optIn('/ttsingle/3/x'),
    check: paths.check('?msisdn=1&subscription_id=2'),
    footballJoin: paths.footballJoin(),
    allVideos: paths.allVideos(3, 'MC Funny', '0'),
    comedyVideo: paths.comedyVideo(31, 'MC Funny', 3),
    artistVideos: paths.artistVideos(3, 'diski99', '1'),
    footballVideo: paths.footballVideo(31, 'diski99', '1'),
    memeCategory: paths.memeCategory('1', 7, 'memeworld'),
    meme: paths.meme(7, 'memeworld', 31),
    ttVideo: paths.ttVideo(101, 'raceday'),
    ttCategory: paths.ttCategory(1, 'ttmbhatv'),
    feed: paths.feed(),
    artists: paths.artists(),
    watchlist: paths.watchlist(),
    mine: paths.mine(),
    terms: paths.terms(),
    subscription: paths.subscription(),
    search: paths.search(),
    verifyNumber: paths.verifyNumber('one', ''),
    verifyNumberOfCampaign: paths.verifyNumber('one', 'ad 7'),
  };
  expect(Object.keys(paths).filter(name => !(name in shown))).toEqual([]);
  expect(shown).toMatchInlineSnapshot(`
    {
      "allVideos": "/allvideos/3/MC%20Funny/0",
      "artistVideos": "/artistvideos/3/diski99/1",
      "artists": "/artists",
      "check": "/forms/check?msisdn=1&subscription_id=2",
      "comedyVideo": "/video/31/MC%20Funny/3",
      "feed": "/feed",
      "footballJoin": "/diskilogin",
      "footballVideo": "/diskisingle/31/diski99/1",
      "home": "/redirect?service=MC%20Funny&msisdn=27812345678&result=active",
      "homeWithoutNumber": "/redirect?service=MC%20Funny&msisdn=&result=active",
      "join": "/login",
      "joinForm": "/join",
      "joinFormOfCampaign": "/join?ext_ref=ad%207",
      "joinFormToComeBack": "/join?ext_ref=ad%207&page=%2Fttsingle%2F3%2Fx",
      "joinToComeBack": "/login?page=%2Fttsingle%2F3%2Fx",
      "meme": "/memeCategory/1/7/memeworld?after=30&meme=31",
      "memeCategory": "/memeCategory/1/7/memeworld",
      "mine": "/mine",
      "optIn": "/api/subscribe/opt-in?svc_id=148&page=%2Fttsingle%2F3%2Fx&shown=300.day.0.",
      "root": "/",
      "search": "/search",
      "subscription": "/subscription",
      "terms": "/terms",
      "ttCategory": "/ttcategory/1/ttmbhatv",
      "ttVideo": "/ttsingle/101/raceday",
      "verifyNumber": "/api/subscribe/verify-number?network=one",
      "verifyNumberOfCampaign": "/api/subscribe/verify-number?network=one&ext_ref=ad%207",
      "watchlist": "/watchlist",
    }
  `);
});

test('join, home and terms are the brand’s addresses', () => {
  serveBrand(footballBrand);
  expect(paths.join()).toBe('/diskilogin');
  expect(paths.home('1')).toBe('/doRedirect?service=diski99&msisdn=1&result=active');
  serveBrand(racingBrand);
  expect(paths.terms()).toBe('/raceday-terms');
});

test('on the demo host 88 every address has the domain parameter, also after a navigation without it', () => {
  visit('http://88.localhost:8080/?domain=memeworld');
  expect(paths.root()).toBe('/?domain=memeworld');
  expect(paths.home('1')).toBe('/redirect?service=MC%20Funny&msisdn=1&result=active&domain=memeworld');
  visit('http://88.localhost:8080/terms');
  expect(paths.subscription()).toBe('/subscription?domain=memeworld');
});
