/** localStorage: values of this phone. If the storage is full or forbidden, values are lost without an error. */

export function getLocalItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function setLocalItem(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    console.info('Not stored', key);
  }
}

export function removeLocalItem(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    console.info('Not removed', key);
  }
}
