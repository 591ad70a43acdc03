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

test('a choice sends the form, deletes the cached page and loads the page again', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const deleted: string[] = [];
  vi.stubGlobal('caches', {
    keys: async () => ['shell-6', 'files-4', 'replies-4'],
    delete: async (name: string) => deleted.push(name),
  });
  const fetched = vi.spyOn(window, 'fetch').mockResolvedValue(new Response());
  choose('zu', 'field');
  expect(fetched).not.toHaveBeenCalled();
  choose('zu', 'language-list');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(deleted).toEqual(['shell-6', 'replies-4']);
  const [address, { body } = {}] = fetched.mock.calls[0] ?? [];
  expect(fetched).toHaveBeenCalledTimes(1);
  expect([address, String(body)]).toEqual(['/forms/language', 'language=zu']);
});
