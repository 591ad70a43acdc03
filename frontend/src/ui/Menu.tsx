/** A button that opens a list of links or actions below itself. */
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useHydrated } from '../hydration';
import { EndlessList, type Pages } from './EndlessList';
import { ChevronDownIcon } from './icons';
import './menu.css';

export type MenuItem = { key: number | string; label: string; to: string; onPick?: (() => void) | undefined };

type Props = {
  label: string;
  items: MenuItem[] | undefined;
  empty: string;
  pages?: Pages;
  className?: string;
};

export function Menu({ label, items, empty, pages, className = '' }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { key } = useLocation();
  const hydrated = useHydrated(() => true, false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu
  useEffect(() => setOpen(false), [key]);

  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    };
    // Not sooner than a click: what lies below the list would move away from under the finger.
    document.addEventListener('click', outside);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('click', outside);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [open]);

  return (
    <div ref={box} className={`menu ${className}`} data-open={open}>
      <button
        type="button"
        className="menu-button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(before => !before)}
      >
        {label}
        <ChevronDownIcon />
      </button>
      <div id={id} className="menu-list">
        {/* A closed list costs the server what a page shows. */}
        {hydrated && items && (
          <EndlessList className="" items={items} idOf={({ key }) => key} pages={pages} quiet>
            {item => <MenuLink item={item} />}
          </EndlessList>
        )}
        {items?.length === 0 && <p className="menu-empty">{empty}</p>}
        {!items && <p className="menu-empty">Loading…</p>}
      </div>
    </div>
  );
}

/** With `onPick` the item keeps its address, but a click acts instead of going there. */
function MenuLink({ item }: { item: MenuItem }) {
  return (
    <Link
      to={item.to}
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
