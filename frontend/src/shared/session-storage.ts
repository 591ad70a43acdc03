/** sessionStorage: values of this tab. If the storage is full or forbidden, values are lost without an error. */

export function getSessionItem(key: string): string {
  try {
    return sessionStorage.getItem(`spaza.${key}`) ?? '';
  } catch {
    return '';
  }
}

export function setSessionItem(key: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(`spaza.${key}`, value);
    else sessionStorage.removeItem(`spaza.${key}`);
  } catch {
    console.info('Not stored', key);
  }
}
