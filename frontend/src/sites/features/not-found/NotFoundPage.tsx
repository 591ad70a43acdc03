import { Link } from 'react-router';
import { brand, iconOf } from '../../brand';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { Frame } from '../../ui/Frame';

export const page: PageOf = () => ({ name: 'not-found', screen: false });

export default function NotFoundPage() {
  return (
    <Frame title={t('not-found-title')}>
      <div className="notice notice-page">
        <img className="notice-icon" src={iconOf(brand())} alt="" width="96" height="96" />
        <h1>{t('not-found-heading')}</h1>
        <p>{t('not-found-why')}</p>
        <Link className="button" to={paths.root()}>
          {t('go-home')}
        </Link>
      </div>
    </Frame>
  );
}
