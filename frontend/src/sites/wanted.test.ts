import { beforeEach, expect, test } from 'vitest';
import { serveBrand, ttBrand } from '../dev/brands';
import { wantedPage } from './wanted';

const of = (address: string) => {
  const [pathname = '', search = ''] = address.split('?');
  return wantedPage({ pathname, search });
};

beforeEach(() => serveBrand(ttBrand));

test('wantedPage is the path without the visitor', () => {
  expect(of('/ttsingle/3/ttmbhatv')).toBe('/ttsingle/3/ttmbhatv');
  expect(of('/ttsingle/3/ttmbhatv/27812345678')).toBe('/ttsingle/3/ttmbhatv');
  expect(of('/ttcategory/1/ttmbhatv?msisdn=27812345678&result=active&after=7')).toBe(
    '/ttcategory/1/ttmbhatv?after=7',
  );
  expect(of('/memeCategory/1/2/memeworld?after=6&meme=7')).toBe('/memeCategory/1/2/memeworld?meme=7&after=6');
});

test('wantedPage is the page of a subscriber', () => {
  expect(of('/memeCategory/0/2/memeworld')).toBe('/memeCategory/1/2/memeworld');
  expect(of('/allvideos/7/MC%20Funny/0')).toBe('/allvideos/7/MC%20Funny/1');
  expect(of('/artistvideos/7/diski99/0')).toBe('/artistvideos/7/diski99/1');
});

test('wantedPage is empty where there is no way back to offer', () => {
  for (const address of [
    '/',
    '/ttredirect?service=x&msisdn=1&result=active',
    '/ttlogin',
    '/join',
    '/subscription',
  ])
    expect(of(address)).toBe('');
});
