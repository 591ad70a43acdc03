/**
 * Polyfills for QuickJS, which has no web APIs: those that the router and React need while they load. Import this module before them.
 * There is no `window`: by that, libraries detect that they do not run in a browser.
 */

type Pair = [name: string, value: string];

/** The part of URLSearchParams that pages use. */
class SearchParams {
  private pairs: Pair[];

  constructor(from: string | Iterable<Pair> = '') {
    this.pairs = typeof from === 'string' ? pairsIn(from) : [...from];
  }

  get(name: string): string | null {
    return this.pairs.find(([each]) => each === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.pairs.filter(([each]) => each === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.pairs.some(([each]) => each === name);
  }

  append(name: string, value: string): void {
    this.pairs.push([name, value]);
  }

  forEach(act: (value: string, name: string) => void): void {
    for (const [name, value] of this.pairs) act(value, name);
  }

  [Symbol.iterator](): Iterator<Pair> {
    return this.pairs[Symbol.iterator]();
  }
}

function pairsIn(text: string): Pair[] {
  return text
    .replace(/^\?/, '')
    .split('&')
    .filter(Boolean)
    .map(part => {
      const cut = part.indexOf('=');
      return cut < 0 ? [decoded(part), ''] : [decoded(part.slice(0, cut)), decoded(part.slice(cut + 1))];
    });
}

/** Bytes that are not UTF-8 become a replacement character. */
function decoded(text: string): string {
  return text.replace(/\+/g, ' ').replace(/(?:%[0-9a-f]{2})+/gi, bytes => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return '\ufffd';
    }
  });
}

/** The router creates one while it loads, and reads it only to navigate. */
class Url {
  constructor(readonly href: string) {}
}

/** React's streaming renderer creates both while it loads. `renderToString` does not stream, so their results are not used. */
class Channel {
  readonly port1 = {};
  readonly port2 = {};
}
class Encoder {
  encode(): Uint8Array {
    return new Uint8Array();
  }
}

const silent = () => undefined;
const scope = globalThis as unknown as Record<string, unknown>;
scope.URLSearchParams ??= SearchParams;
scope.URL ??= Url;
scope.MessageChannel ??= Channel;
scope.TextEncoder ??= Encoder;
scope.console ??= { log: silent, debug: silent, info: silent, warn: silent, error: silent };
