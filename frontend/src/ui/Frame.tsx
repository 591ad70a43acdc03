/** The frame around every page with an address: header, the page, footer. */
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { brand, rand } from '../brand';
import { paths } from '../paths';
import { focusNewHeading } from './arrival';
import { OfflineBar } from './OfflineBar';
import { SiteHeader } from './SiteHeader';
import './frame.css';

type Props = {
  title: string;
  /** Beside the logo. */
  menu?: ReactNode;
  /** The visitor's next step. */
  next?: ReactNode;
  children: ReactNode;
};

/** By itself for a page of one task (joining, leaving, reading terms): it has no navigation and no next step. */
export function Frame({ title, menu, next, children }: Props) {
  const { name } = brand();
  useEffect(() => {
    document.title = title === name ? name : `${title} · ${name}`;
    focusNewHeading();
  }, [title, name]);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <SiteHeader>{menu}</SiteHeader>
      <OfflineBar />
      {next}
      <main id="main" className="page">
        {children}
      </main>
      <SiteFooter />
    </>
  );
}

function SiteFooter() {
  const { name, helpline, support_email, price_cents, copy } = brand();
  return (
    <footer className="site-footer">
      <p className="site-footer-links">
        <Link to={paths.terms()}>{copy.terms_label ?? 'Terms and Conditions'}</Link>
        <Link to={paths.subscription()}>Want to unsubscribe</Link>
      </p>
      <p className="site-footer-links">
        <a href={`tel:${helpline.replace(/\s/g, '')}`}>Help: {helpline}</a>
        <a href={`mailto:${support_email}`}>{support_email}</a>
      </p>
      <p>
        {rand(price_cents)}/day · 18+ · South Africa only
        <br />©{' '}
        {/* The server's clock and the phone's may be a year apart. South Africa is two hours ahead of UTC. */}
        <span suppressHydrationWarning>{new Date(Date.now() + 7_200_000).getUTCFullYear()}</span> {name}. All
        rights reserved.
      </p>
    </footer>
  );
}
