import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReplies } from '../test/embedded-replies';
import { server } from '../test/server';
import { get } from './client';

const PATH = '/api/meme/getMemeCategories';
const written = [{ id: 1, name: 'Came with the page' }];
const fetched = [{ id: 2, name: 'Came from the network' }];
/** happy-dom's own way to change the address without loading it. */
const visit = (url: string) =>
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);

let asked: string[];
beforeEach(() => {
  asked = [];
  server.use(
    http.get(`*${PATH}`, ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(fetched);
    }),
  );
});
afterEach(() => visit('http://mcfunny.localhost:8080/'));

test('a reply in the page is handed out by its address, once', async () => {
  writeReplies({ '/api/tt/getCategory/raceday': [], [PATH]: written });
  expect(await get(PATH)).toEqual(written);
  expect(asked).toEqual([]);
  expect(await get(PATH)).toEqual(fetched);
});

test('another address, with a query or without, asks the network', async () => {
  writeReplies({ [`${PATH}?limit=5`]: written });
  expect(await get(PATH)).toEqual(fetched);
  expect(await get(`${PATH}?limit=5`)).toEqual(written);
});

test('a page without replies asks the network', async () => {
  expect(await get(PATH)).toEqual(fetched);
});

test.each(['', '{', 'null', '"text"', '[1]'])('replies that are %j are none', async text => {
  writeReplies(text);
  expect(await get(PATH)).toEqual(fetched);
});

test('an empty answer is an answer', async () => {
  writeReplies({ [PATH]: null });
  expect(await get(PATH)).toBeNull();
  expect(asked).toEqual([]);
});

test('what looks like markup in a reply stays text', async () => {
  const name = '</script><script>alert(1)</script><!--';
  writeReplies({ [PATH]: [{ id: 1, name }] });
  expect(document.getElementById('replies')?.textContent).not.toContain('<');
  expect(await get(PATH)).toEqual([{ id: 1, name }]);
});

test('the demo host’s domain is no part of the address by which a reply is found', async () => {
  visit('http://88.localhost:8080/?domain=memeworld');
  writeReplies({ [PATH]: written });
  expect(await get(PATH)).toEqual(written);
  expect(await get(PATH)).toEqual(fetched);
  expect(asked).toEqual(['?domain=memeworld']);
});
