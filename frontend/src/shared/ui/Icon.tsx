/** Icons are inline SVG. They are hidden from screen readers: the control around an icon has the accessible name. */
import type { ReactNode } from 'react';

type Props = { children: ReactNode; filled?: boolean };

export function Icon({ children, filled = false }: Props) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      focusable="false"
      fill={filled ? 'currentColor' : 'none'}
      stroke={filled ? 'none' : 'currentColor'}
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}
