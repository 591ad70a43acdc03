/** The frame of the screens without a session. */
import { type ReactNode, useEffect } from 'react';
import { words } from '../words';

type Props = { title: string; lead?: string; wide?: boolean; children: ReactNode };

export function Outside({ title, lead, wide = false, children }: Props) {
  useEffect(() => {
    document.title = words.titleOf({ screen: title });
  }, [title]);
  return (
    <main className="outside">
      <div className={wide ? 'outside-box wide' : 'outside-box'}>
        <p className="product">
          <span className="mark" aria-hidden="true" />
          {words.product}
          <span className="muted">{words.backOffice}</span>
        </p>
        <div className="card">
          <h1>{title}</h1>
          {lead && <p className="muted">{lead}</p>}
          {children}
        </div>
      </div>
    </main>
  );
}
