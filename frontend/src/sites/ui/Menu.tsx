/** A button that opens a list of links or actions below itself. */

import { useId, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useOpenAt } from '../../shared/ui/open-at';
import { useHydrated } from '../hydration';
import { t } from '../messages';
import { useClosing } from './closing';
import { EndlessList, type Pages } from './EndlessList';
import { ChevronDownIcon } from './icons';
import { Plain } from './Plain';
import './menu.css';

export type MenuItem = {
  key: number | string;
  label: string;
  /** Of the label, as of `langOf`. */
  lang?: string | undefined;
  to: string;
  onPick?: (() => void) | undefined;
};

type Props = {
  label: string;
  items: MenuItem[] | undefined;
  empty: string;
  pages?: Pages;
  className?: string;
};

export function Menu({ label, items, empty, pages, className = '' }: Props) {
  const [open, setOpen] = useOpenAt(useLocation().key);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const hydrated = useHydrated(() => true, false);

  useClosing(box, open, setOpen);

  return (
    <>
      <Plain>{SERVER_RENDERING && <PlainMenu label={label} items={items} />}</Plain>
      <div ref={box} className={`menu ${className}`} data-open={open}>
        <button
          type="button"
          className="menu-button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {label}
          <ChevronDownIcon />
        </button>
        <div id={id} className="menu-list">
          {/* The server does not render closed lists. */}
          {hydrated && items && (
            <EndlessList className="" items={items} idOf={({ key }) => key} pages={pages} quiet>
              {item => <MenuLink item={item} />}
            </EndlessList>
          )}
          {items?.length === 0 && <p className="menu-empty">{empty}</p>}
          {!items && <p className="menu-empty">{t('loading-list')}</p>}
        </div>
      </div>
    </>
  );
}

/** Without scripts the list opens by itself, if it is known. */
function PlainMenu({ label, items = [] }: Pick<Props, 'label' | 'items'>) {
  if (items.length === 0) return null;
  return (
    <details className="plain-links">
      <summary className="menu-button">
        {label}
        <ChevronDownIcon />
      </summary>
      <ul>
        {items.map(({ key, label, lang, to }) => (
          <li key={key}>
            <a href={to} lang={lang}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** With `onPick`, a click calls it instead of opening the item's address. */
function MenuLink({ item }: { item: MenuItem }) {
  return (
    <Link
      to={item.to}
      lang={item.lang}
      onClick={event => {
        if (!item.onPick) return;
        event.preventDefault();
        item.onPick();
      }}
    >
      {item.label}
    </Link>
  );
}
