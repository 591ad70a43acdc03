/** CATEGORIES and UPLOAD for the header. */

import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import { type Flag, paths } from '../../paths';
import { openOptIn } from '../../session';
import type { Pages } from '../../ui/EndlessList';
import { Menu, type MenuItem } from '../../ui/Menu';
import { categoriesQuery } from './api';

export function useCategoryItems(flag: Flag): { items: MenuItem[] | undefined; pages: Pages } {
  const categories = useInfiniteQuery(categoriesQuery);
  const items = categories.data?.items.map(({ id, name, name_lang }) => ({
    key: id,
    label: name,
    lang: langOf(name_lang),
    to: paths.memeCategory(flag, id, brand().service),
    onPick: flag === '1' ? undefined : () => openOptIn(paths.memeCategory('1', id, brand().service)),
  }));
  return { items: items ?? (categories.isError ? [] : undefined), pages: categories };
}

export function MemeNav({ flag }: { flag: Flag }) {
  const categories = useCategoryItems(flag);
  return (
    <>
      <Menu label={t('CATEGORIES')} {...categories} empty={t('no-categories')} />
      {/* By the specification the button does nothing. */}
      <button type="button" className="nav-link">
        {t('UPLOAD')}
      </button>
    </>
  );
}
