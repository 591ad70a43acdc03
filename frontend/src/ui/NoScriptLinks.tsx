/** A menu's links for browsers without scripts, which cannot open menus. */
import type { MenuItem } from './Menu';

/** Renders nothing if `items` is not known. */
export function NoScriptLinks({ label, items }: { label: string; items: MenuItem[] | undefined }) {
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
