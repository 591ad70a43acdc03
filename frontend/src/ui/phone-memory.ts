/** What this phone keeps between visits. Storage may be full or forbidden; then it keeps nothing. */

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    console.info('This phone cannot remember', key);
  }
}
