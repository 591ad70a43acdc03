/** Text that is typed and not saved: the question before it is left. */
import { createContext, type ReactNode, use, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type NavigateFunction, useBlocker, useNavigate } from 'react-router';
import { hasSessionEnded } from '../api';
import { words } from '../words';
import { ConfirmDialog } from './ConfirmDialog';

/** The forms on the screen with such text. */
const unsaved = new Set<object>();

/** Registers a form while its text is not saved. `keep` runs where the end of the session takes the form away, without a question. */
export function useUnsaved(isUnsaved: boolean, keep: () => void = () => undefined): void {
  const onSessionEnd = useEffectEvent(keep);
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    unsaved.add(form);
    return () => {
      if (unsaved.delete(form) && hasSessionEnded()) onSessionEnd();
    };
  }, [isUnsaved]);
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
          text={words.unsaved.text}
          submit={words.unsaved.leave}
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
