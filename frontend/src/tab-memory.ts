/** What this tab remembers between pages. Storage may be full or forbidden; then the tab simply forgets. */

export function recall(key: string): string {
  try {
    return sessionStorage.getItem(`spaza.${key}`) ?? '';
  } catch {
    return '';
  }
}

export function remember(key: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(`spaza.${key}`, value);
    else sessionStorage.removeItem(`spaza.${key}`);
  } catch {
    console.info('This tab cannot remember', key);
  }
}
