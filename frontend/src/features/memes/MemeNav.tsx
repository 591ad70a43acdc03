/** CATEGORIES and UPLOAD for the header. */
import { useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { type Flag, paths } from '../../paths';
import { openOptIn } from '../../session';
import { Menu, type MenuItem } from '../../ui/Menu';
import { categoriesQuery } from './api';

export function useCategoryItems(flag: Flag): MenuItem[] | undefined {
  const { data, isError } = useQuery(categoriesQuery);
  if (isError) return [];
  return data?.map(({ id, name }) => ({
    key: id,
    label: name,
    to: paths.memeCategory(flag, id, brand().service),
    onPick: flag === '1' ? undefined : openOptIn,
  }));
}

export function MemeNav({ flag }: { flag: Flag }) {
  const items = useCategoryItems(flag);
  return (
    <>
      <Menu label="CATEGORIES" items={items} empty="No categories yet." />
      {/* Uploading is announced, not built. */}
      <button type="button" className="nav-link">
        UPLOAD
      </button>
    </>
  );
}
