/** The layout of a page with the site's navigation and the visitor bar. */
import type { ReactNode } from 'react';
import { Frame } from './Frame';
import { SiteBar } from './SiteBar';
import { SiteMenu } from './SiteMenu';
import { VisitorBar } from './VisitorBar';

type Props = { title: string; nav: ReactNode; children: ReactNode };

export function Shell({ title, nav, children }: Props) {
  return (
    <>
      <Frame title={title} menu={<SiteMenu>{nav}</SiteMenu>} next={<VisitorBar />}>
        {children}
      </Frame>
      <SiteBar />
    </>
  );
}
