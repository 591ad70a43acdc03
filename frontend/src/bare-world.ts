/**
 * What the router and react-query expect of any world, for an engine that has ECMAScript and nothing else. Imported before them.
 * Without `window`, both know that they are not in a browser.
 */

type Pair = [name: string, value: string];

/** As much of URLSearchParams as pages use. */
class Query {
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

/** What is no UTF-8 becomes a replacement character, and never an exception. */
function decoded(text: string): string {
  return text.replace(/\+/g, ' ').replace(/(?:%[0-9a-f]{2})+/gi, bytes => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return '\ufffd';
    }
  });
}

/** The router makes one while it is loaded, and uses it only to go elsewhere. */
class Address {
  constructor(readonly href: string) {}
}

const silent = () => undefined;
const world = globalThis as unknown as Record<string, unknown>;
world.URLSearchParams ??= Query;
world.URL ??= Address;
world.console ??= { log: silent, debug: silent, info: silent, warn: silent, error: silent };
