import { useSyncExternalStore } from 'react';
import { t } from '../messages';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

/** Says that the phone is offline. Failed queries are refetched when the connection is back. */
export function OfflineBar() {
  const online = useOnline();
  return (
    <p className="offline-bar" role="status" hidden={online}>
      {online ? '' : t('offline')}
    </p>
  );
}
