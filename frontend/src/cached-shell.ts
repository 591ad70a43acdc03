/** The service worker caches one page as the shell of every address, without a visitor's data, and the replies that came with it. */
import { repliesIn } from './api/replies';

/** The gateway writes every `<` of a reply as `\u003c`, so the first one ends the element. */
const REPLIES = /<script type="application\/json" id="replies">([^<]*)<\/script>/;
/** The server-rendered screen of one address, and what browsers without scripts read behind it: it may be the visitor's own. */
const SCREEN = /(<div id="root">)[\s\S]*(<\/body>)/;
/** Where browsers without scripts go on: the address may hold a number. */
const REFRESH = /<noscript><meta http-equiv="refresh"[^>]*><\/noscript>/;
const PAGE_NAME = /,"page":"[a-z-]*"/;
/** Whether that request had a session cookie: it may have one when the shell is shown. */
const SESSION = /,"session":(?:true|false)/;

/** The host also serves pages that are not the application's, such as the API's own. */
export const isBrandPage = (page: string): boolean =>
  page.includes('<script type="application/json" id="boot">');

/** The page without its screen, without its replies (they would look fresh at any age), and without what held for that request alone. */
export const shellOf = (page: string): string =>
  [REPLIES, PAGE_NAME, SESSION, REFRESH]
    .reduce((text, part) => text.replace(part, ''), page)
    .replace(SCREEN, '$1</div>$2');

export const repliesOf = (page: string): Map<string, unknown> => {
  const [, text] = REPLIES.exec(page) ?? [];
  return text === undefined ? new Map() : repliesIn(text);
};
