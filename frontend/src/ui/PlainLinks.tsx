/** A menu's links as they are, for browsers without scripts: they open no menus. */
import type { MenuItem } from './Menu';

/** `items`: nothing is written where they are not known. */
export function PlainLinks({ label, items }: { label: string; items: MenuItem[] | undefined }) {
  if (!items?.length) return null;
  return (
    <details className="plain-links">
      <summary>{label}</summary>
      <ul>
        {items.map(({ key, label, to }) => (
          <li key={key}>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
