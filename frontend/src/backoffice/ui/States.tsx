/** What a screen shows before it has data, without data, and after a failure. */
import type { ReactNode } from 'react';
import { isStatus, messageOf } from '../../api/problem';
import { words } from '../words';

export function Loading({ what = words.common.loading }: { what?: string }) {
  return (
    <output className="loading">
      <span className="sr">{what}</span>
      <span className="bone" />
      <span className="bone" />
      <span className="bone short" />
    </output>
  );
}

export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const forbidden = isStatus(error, 403);
  const otherwise = error instanceof TypeError ? words.common.offline : words.common.failed;
  return (
    <div className="empty" role="alert">
      <p className="strong">{forbidden ? words.common.forbidden : messageOf(error, otherwise)}</p>
      {forbidden ? (
        <p className="muted">{words.common.forbiddenHint}</p>
      ) : (
        <button type="button" className="button" onClick={retry}>
          {words.common.retry}
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children}
    </div>
  );
}
