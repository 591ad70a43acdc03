/** What the service worker keeps of a page: a frame that is true of every address, and the replies that came with it. */
import { repliesIn } from './api/replies';

/** The gateway writes every `<` of a reply as `\u003c`, so the first one ends the element. */
const REPLIES = /<script type="application\/json" id="replies">([^<]*)<\/script>/;
/** What the server drew of one address. No page has a `noscript` within. */
const SCREEN = /(<div id="root">)[\s\S]*(<\/div>\s*<noscript>)/;
const PAGE_NAME = /,"page":"[a-z-]*"/;
/** Whether that request had a session: who joins later must not be taken for a stranger by an old frame. */
const SESSION = /,"session":(?:true|false)/;

/** The host has other pages (the API's, the directory of brands), and nothing can be made of those. */
export const isBrandPage = (page: string): boolean =>
  page.includes('<script type="application/json" id="boot">');

/** Without the replies, which would look fresh however old the frame is, without what was true of that request alone, and empty. */
export const frameOf = (page: string): string =>
  page.replace(REPLIES, '').replace(PAGE_NAME, '').replace(SESSION, '').replace(SCREEN, '$1$2');

export const repliesOf = (page: string): Map<string, unknown> => {
  const [, text] = REPLIES.exec(page) ?? [];
  return text === undefined ? new Map() : repliesIn(text);
};
