/**
 * What only the plain page has. The server renders the content; a browser neither hydrates nor checks it, so it may differ between visitors
 * and costs no bytes: write `<Plain>{SERVER_RENDERING && …}</Plain>`. It is hidden while `running` is set (expect-scripts.js).
 */
import type { ReactNode } from 'react';

export const Plain = ({ children }: { children: ReactNode }) =>
  SERVER_RENDERING ? (
    <div className="plain">{children}</div>
  ) : (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty text, for which React leaves the server's content alone
    <div className="plain" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  );
