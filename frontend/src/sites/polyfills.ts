/** What libraries call and a browser of the floor (.browserslistrc) lacks. Imported before the library, by the module that needs it. */

export function at(this: unknown[], index: number): unknown {
  return this[index < 0 ? this.length + index : index];
}

type Settled = { status: 'fulfilled'; value: unknown } | { status: 'rejected'; reason: unknown };

export const allSettled = (promises: Iterable<unknown>): Promise<Settled[]> =>
  Promise.all(
    [...promises].map(each =>
      Promise.resolve(each).then(
        (value): Settled => ({ status: 'fulfilled', value }),
        (reason): Settled => ({ status: 'rejected', reason }),
      ),
    ),
  );

function add(to: object, name: string, value: unknown): void {
  if (!(name in to)) Object.defineProperty(to, name, { value, configurable: true, writable: true });
}
add(Array.prototype, 'at', at);
add(Promise, 'allSettled', allSettled);
