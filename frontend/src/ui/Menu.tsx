/** A button that opens a list of links or actions below itself. */
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useHydrated } from '../hydration';
import { ChevronDownIcon } from './icons';
import './menu.css';

export type MenuItem = { key: number | string; label: string; to: string; onPick?: (() => void) | undefined };

type Props = { label: string; items: MenuItem[] | undefined; empty: string; className?: string };

export function Menu({ label, items, empty, className = '' }: Props) {
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
      <ul id={id} className="menu-list">
        {/* A closed list costs the server what a page shows. */}
        {hydrated &&
          items?.map(item => (
            <li key={item.key}>
              <MenuLink item={item} />
            </li>
          ))}
        {items?.length === 0 && <li className="menu-empty">{empty}</li>}
        {!items && <li className="menu-empty">Loading…</li>}
      </ul>
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
