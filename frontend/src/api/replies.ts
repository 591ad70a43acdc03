/** The replies that the gateway wrote into the page, so that its first drawing waits for none. Each is handed out once. */
import { serverInput } from '../server-input';

let written = new Map<string, unknown>();

/** What a call to `path` (as the page asks, without `domain=`) would answer; `undefined` where only the network knows. */
export function takeReply(path: string): unknown {
  const given = serverInput();
  if (given) return given.replies[path];
  const element = document.getElementById('replies');
  if (element) {
    element.remove();
    written = repliesIn(element.textContent ?? '');
  }
  const reply = written.get(path);
  written.delete(path);
  return reply;
}

/** Replies by address. What cannot be read is as good as not there: the page then asks by itself. */
export function repliesIn(text: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch (error) {
    console.info('The replies in this page cannot be read', error);
    return new Map();
  }
}
