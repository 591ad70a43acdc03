/** The frame of a feed: the whole screen, without header and footer. */
import { type ReactNode, useEffect } from 'react';
import { brand } from '../brand';
import { paths } from '../paths';
import { focusReplacedHeading } from './heading-focus';
import { SiteHeader } from './SiteHeader';
import './feed.css';

export function FeedFrame({ children }: { children: ReactNode }) {
  const { name } = brand();
  useEffect(() => {
    document.title = `Watch · ${name}`;
    focusReplacedHeading();
  }, [name]);
  if (SERVER_RENDERING)
    return (
      <>
        <SiteHeader />
        <main className="page">
          <h1>Watch one after another</h1>
          <div className="notice">
            <p>
              This page needs scripts, which your browser does not run. Every video has a page of its own.
            </p>
            <a className="button" href={paths.root()}>
              Go to the videos
            </a>
          </div>
        </main>
      </>
    );
  return (
    <main className="feed-page">
      <h1 className="visually-hidden">Watch one after another</h1>
      {children}
    </main>
  );
}
