/** The frame of a feed: the whole screen, without header and footer. */

import { type ReactNode, useEffect } from 'react';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { focusReplacedHeading } from './heading-focus';
import { OfflineBar } from './OfflineBar';
import { SiteBar } from './SiteBar';
import { SiteHeader } from './SiteHeader';
import './feed.css';

export function FeedFrame({ children }: { children: ReactNode }) {
  const { name } = brand();
  useEffect(() => {
    document.title = `${t('watch')} · ${name}`;
    focusReplacedHeading();
  }, [name]);
  if (SERVER_RENDERING)
    return (
      <>
        <SiteHeader />
        <main className="page">
          <h1>{t('watch-all')}</h1>
          <div className="notice">
            <p>{t('watch-needs-scripts')}</p>
            <a className="button" href={paths.root()}>
              {t('go-to-videos')}
            </a>
          </div>
        </main>
      </>
    );
  return (
    <>
      <main className="feed-page">
        <h1 className="visually-hidden">{t('watch-all')}</h1>
        <OfflineBar />
        {children}
      </main>
      <SiteBar />
    </>
  );
}
