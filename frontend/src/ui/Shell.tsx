/** The frame around every page with an address: header, the confirm bar, the page, footer. */
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { brand, rand } from '../brand';
import { paths } from '../paths';
import { OfflineBar } from './OfflineBar';
import { SiteHeader } from './SiteHeader';
import { VisitorBar } from './VisitorBar';
import './shell.css';

type Props = { title: string; nav?: ReactNode; bare?: boolean; children: ReactNode };

/** `bare`: a page of one task (joining, leaving, reading terms) without navigation or a next step. */
export function Shell({ title, nav, bare = false, children }: Props) {
  const { name } = brand();
  useEffect(() => {
    document.title = title === name ? name : `${title} · ${name}`;
  }, [title, name]);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <SiteHeader>{nav}</SiteHeader>
      <OfflineBar />
      {!bare && <VisitorBar />}
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
        <br />© {/* The server's clock and the phone's may be a year apart. */}
        <span suppressHydrationWarning>{new Date().getFullYear()}</span> {name}. All rights reserved.
      </p>
    </footer>
  );
}
