/** The layout of every page: header, content, footer. */

import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { brand, priceFor } from '../brand';
import { thisYear } from '../clock';
import { t } from '../messages';
import { paths } from '../paths';
import { focusReplacedHeading } from './heading-focus';
import { LanguageSwitch } from './LanguageSwitch';
import { OfflineBar } from './OfflineBar';
import { SiteHeader } from './SiteHeader';
import './frame.css';

type Props = {
  title: string;
  /** Shown beside the logo. */
  menu?: ReactNode;
  /** The bar below the header: the visitor's next step. */
  next?: ReactNode;
  children: ReactNode;
};

/** Used directly by pages without navigation: joining, leaving, terms. Other pages use Shell. */
export function Frame({ title, menu, next, children }: Props) {
  const { name } = brand();
  useEffect(() => {
    document.title = title === name ? name : `${title} · ${name}`;
    focusReplacedHeading();
  }, [title, name]);
  return (
    <>
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <SiteHeader>{menu}</SiteHeader>
      <OfflineBar />
      {next}
      <main id="main" className="page">
        {children}
      </main>
      <SiteFooter withLanguages={menu !== undefined} />
    </>
  );
}

/** `withLanguages`: without a menu the list of languages is in the header. */
function SiteFooter({ withLanguages }: { withLanguages: boolean }) {
  const { name, helpline, support_email, copy } = brand();
  return (
    <footer className="site-footer">
      <p className="site-footer-links">
        <Link to={paths.terms()}>{copy.terms_label ?? t('terms')}</Link>
        <Link to={paths.subscription()}>{t('want-to-unsubscribe')}</Link>
      </p>
      <p className="site-footer-links">
        <a href={`tel:${helpline.replace(/\s/g, '')}`}>{t('help', { helpline })}</a>
        <a href={`mailto:${support_email}`}>{support_email}</a>
      </p>
      {withLanguages && <LanguageSwitch />}
      <p>
        {priceFor(brand())} · 18+ · {t('south-africa-only')}
        <br />© {/* The server's year may differ from the phone's. */}
        <span suppressHydrationWarning>{thisYear()}</span> {name}. {t('rights')}
      </p>
    </footer>
  );
}
