/** The cached shell: the service worker stores one page as the shell of every address, without a visitor's data. */
import { parseReplies } from './api/embedded-replies';

/** The gateway escapes `<` in replies as `\u003c`, so the first `<` ends the element. */
const REPLIES = /<script type="application\/json" id="replies">([^<]*)<\/script>/;
/** The server-rendered screen of one address, in the root or beside it. It may contain a visitor's data. */
const SCREEN = /(<div id="root">)[\s\S]*(<\/body>)/;
/** The refreshes of a page that goes on by itself: their address may contain a phone number. */
const REFRESH = /(?:<noscript><meta http-equiv="refresh"[^>]*><\/noscript>)?<meta http-equiv="refresh"[^>]*>/;
/** What one visitor reads above one page. */
const NEWS = /<aside class="return-news"[\s\S]*?<\/aside>/;
const PAGE_NAME = /,"page":"[a-z-]*"/;
/** Whether the page's request had a session cookie. A later request may differ. */
const SESSION = /,"session":(?:true|false)/;

/** False for other HTML pages of the host, such as the API documentation, and for pages without scripts. */
export const isBrandPage = (page: string): boolean =>
  page.includes('<script type="application/json" id="boot">');

/** The page without its screen, its replies (which would count as fresh at any age) and the data of one request. */
export const shellOf = (page: string): string =>
  [REPLIES, PAGE_NAME, SESSION, REFRESH, NEWS]
    .reduce((text, part) => text.replace(part, ''), page)
    .replace(SCREEN, '$1</div>$2');

export const repliesOf = (page: string): Map<string, unknown> => {
  const [, text] = REPLIES.exec(page) ?? [];
  return text === undefined ? new Map() : parseReplies(text);
};
