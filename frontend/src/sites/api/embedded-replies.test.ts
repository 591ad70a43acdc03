import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReplies } from '../../dev/embedded-replies';
import { server } from '../../dev/server';
import { get } from './client';

const PATH = '/api/meme/getMemeCategories';
const written = [{ id: 1, name: 'Came with the page' }];
const fetched = [{ id: 2, name: 'Came from the network' }];
/** happy-dom's own way to change the address without loading it. */
const visit = (url: string) =>
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);

let requested: string[];
beforeEach(() => {
  requested = [];
  server.use(
    http.get(`*${PATH}`, ({ request }) => {
      requested.push(new URL(request.url).search);
      return HttpResponse.json(fetched);
    }),
  );
});
afterEach(() => visit('http://mcfunny.localhost:8080/'));

test('an embedded reply is returned once, by its address', async () => {
  writeReplies({ '/api/tt/getCategory/raceday': [], [PATH]: written });
  expect(await get(PATH)).toEqual(written);
  expect(requested).toEqual([]);
  expect(await get(PATH)).toEqual(fetched);
});

test('another path or query is requested from the network', async () => {
  writeReplies({ [`${PATH}?limit=5`]: written });
  expect(await get(PATH)).toEqual(fetched);
  expect(await get(`${PATH}?limit=5`)).toEqual(written);
});

test('without embedded replies the call is requested from the network', async () => {
  expect(await get(PATH)).toEqual(fetched);
});

test.each(['', '{', 'null', '"text"', '[1]'])('embedded replies %j count as none', async text => {
  writeReplies(text);
  expect(await get(PATH)).toEqual(fetched);
});

test('an empty embedded reply is used', async () => {
  writeReplies({ [PATH]: null });
  expect(await get(PATH)).toBeNull();
  expect(requested).toEqual([]);
});

test('markup in an embedded reply stays text', async () => {
  const name = '</script><script>alert(1)</script><!--';
  writeReplies({ [PATH]: [{ id: 1, name }] });
  expect(document.getElementById('replies')?.textContent).not.toContain('<');
  expect(await get(PATH)).toEqual([{ id: 1, name }]);
});

test('embedded replies are found without the domain parameter of the demo host', async () => {
  visit('http://88.localhost:8080/?domain=memeworld');
  writeReplies({ [PATH]: written });
  expect(await get(PATH)).toEqual(written);
  expect(await get(PATH)).toEqual(fetched);
  expect(requested).toEqual(['?domain=memeworld']);
});
