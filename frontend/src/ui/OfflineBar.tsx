import { useSyncExternalStore } from 'react';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Says that the phone has no connection. Lists that failed for that reason ask again by themselves once it is back. */
export function OfflineBar() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <p className="offline-bar" role="status" hidden={online}>
      {online ? '' : 'You are offline. What you see may be old.'}
    </p>
  );
}
