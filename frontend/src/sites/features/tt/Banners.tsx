/** The banners above the rows: a slider, or a single picture for brands with one banner. */

import { Link } from 'react-router';
import type { TtBanner } from '../../../shared/contract/sites';
import { useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import { paths } from '../../paths';
import { Carousel } from '../../ui/Carousel';
import { Picture } from '../../ui/Picture';
import { bannersQuery } from './api';

const MAX_BANNERS = 3;

export function Banners({ service }: { service: string }) {
  const { data, isError } = useQuery(bannersQuery(service));
  const { copy, name } = brand();
  if (isError || data?.length === 0) {
    return (
      <div className="banner banner-plain">
        <p className="banner-title-line">{name}</p>
      </div>
    );
  }
  if (!data) return <div className="banner skeleton" aria-busy="true" />;
  const banners = data.slice(0, Number(copy.banners ?? MAX_BANNERS));
  return (
    <Carousel
      label={t('highlights', { name })}
      shape="banner"
      slides={banners.map((banner, place) => ({
        key: String(banner.id),
        body: () => <Banner banner={banner} service={service} eager={place === 0} />,
      }))}
    />
  );
}

function Banner({ banner, service, eager }: { banner: TtBanner; service: string; eager: boolean }) {
  const picture = (
    <Picture
      src={banner.imgurl}
      alt={banner.title}
      lang={langOf(banner.title_lang)}
      width={1280}
      height={540}
      // Slightly less than the real width: on high-density screens this halves the bytes without a visible difference.
      sizes="(min-width: 1200px) 1200px, (min-width: 768px) 100vw, 85vw"
      max={1280}
      eager={eager}
    />
  );
  if (banner.videoid === null) return <div className="banner">{picture}</div>;
  return (
    <Link className="banner" to={paths.ttVideo(banner.videoid, service)} draggable={false}>
      {picture}
    </Link>
  );
}
