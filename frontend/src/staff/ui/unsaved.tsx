/** Text that is typed and not saved: the question before it is left. */
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { type NavigateFunction, useBlocker, useNavigate } from 'react-router';
import { words } from '../words';
import { ConfirmDialog } from './ConfirmDialog';

/** The forms on the screen with such text, and whether it is kept as a private draft. */
const unsaved = new Map<object, boolean>();

/** Registers a form while its text is not saved. */
export function useUnsaved(isUnsaved: boolean, isKept = false): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    unsaved.set(form, isKept);
    return () => {
      unsaved.delete(form);
    };
  }, [isUnsaved, isKept]);
}

/** Leads on after a form was saved, without a question. */
export function useNavigateSaved(): (to: string) => void {
  const navigate: NavigateFunction = useNavigate();
  return to => {
    unsaved.clear();
    void navigate(to);
  };
}

const AskContext = createContext<(leave: () => void) => void>(leave => leave());

/** Runs what takes forms away without a change of the address, once the person agrees to lose their text. */
export const useAskFirst = (): ((leave: () => void) => void) => use(AskContext);

/** Asks before the address changes, before the tab closes, and for `useAskFirst`. A router has one blocker, hence one for all forms. */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<() => void>();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const ask = (event: Event) => {
      if (unsaved.size > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  const ask = useCallback((leave: () => void) => {
    if (unsaved.size > 0) setPending(() => leave);
    else leave();
  }, []);
  const isKept = [...unsaved.values()].every(each => each);
  const leave = blocker.state === 'blocked' ? blocker.proceed : pending;
  const close = () => {
    setPending(undefined);
    if (blocker.state === 'blocked') blocker.reset();
  };
  return (
    <AskContext value={ask}>
      {children}
      {leave && (
        <ConfirmDialog
          title={words.unsaved.title}
          text={isKept ? words.unsaved.kept : words.unsaved.lost}
          submit={words.unsaved.leave}
          primary={isKept}
          run={async () => {
            unsaved.clear();
            setPending(undefined);
            leave();
          }}
          onDone={() => undefined}
          onClose={close}
        />
      )}
    </AskContext>
  );
}
