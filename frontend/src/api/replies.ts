/** The replies that the gateway wrote into the page, so that its first rendering waits for none. Each is returned once. */
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

/** Replies by address. Where they cannot be parsed the page fetches them. */
export function repliesIn(text: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch (error) {
    console.info('The replies in this page cannot be read', error);
    return new Map();
  }
}
