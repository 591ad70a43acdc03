/** A screen's frame: the document's title, the heading with its actions, and the content. */
import { type ReactNode, useEffect, useRef } from 'react';
import { words } from '../words';

type Props = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Screen({ title, lead, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = words.titleOf({ screen: title });
    // A navigation moves the focus to the new screen, unless it went into the search on purpose.
    if (!document.activeElement || document.activeElement === document.body || !isTyping())
      heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className="screen">
      <header className="screen-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="muted lead">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

const isTyping = (): boolean => document.activeElement?.matches('input, textarea') ?? false;
