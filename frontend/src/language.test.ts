import { expect, test, vi } from 'vitest';
import { listenForLanguage } from './language';

listenForLanguage();

const choose = (code: string, className: string) => {
  const list = document.createElement('select');
  list.className = className;
  const option = document.createElement('option');
  option.value = code;
  list.append(option);
  document.body.append(list);
  list.value = code;
  list.dispatchEvent(new Event('change', { bubbles: true }));
};

test('a choice sets the cookie, deletes the cached page and loads the page again', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const deleted: string[] = [];
  vi.stubGlobal('caches', {
    keys: async () => ['shell-5', 'files-4'],
    delete: async (name: string) => deleted.push(name),
  });
  choose('zu', 'field');
  expect(document.cookie).not.toContain('language=');
  choose('zu', 'language-list');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(document.cookie).toContain('language=zu');
  expect(deleted).toEqual(['shell-5']);
});
