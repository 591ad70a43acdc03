/**
 * Private drafts: what is typed into a form is kept on the server until it is sent or thrown away, and is there when its author opens the form
 * again, on any machine. What the server does not have yet is in the storage of the tab.
 */
import { createContext, use, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Editor } from '../../shared/contract/staff';
import { isStatus, messageOf } from '../../shared/http/problem';
import { useQuery } from '../../shared/http/queries';
import { getSessionItem, setSessionItem } from '../../shared/session-storage';
import { draftQuery, dropDraft, keepDraft } from '../api';
import { dateTime } from '../format';
import type { FieldValues, UseFormReturn } from '../forms';
import { StaffContext } from '../staff';
import { words } from '../words';
import { Button } from './Button';
import { createKeeper, type Keeper } from './keeper';

const texts = words.drafts;
const READ_AGAIN_MS = 15_000;
const RETRY_MS = 5000;

/** The `ref` of the number's record around a form; empty elsewhere. */
export const NumberContext = createContext('');

type Source = {
  /** Of the form: the same for everybody who opens it. */
  name: string;
  /** What is typed, as a text; null where nothing is. */
  collect: () => string | null;
  /** Puts such a text into the form. */
  restore: (text: string) => void;
  /** Empties the form of it. */
  clear: () => void;
  /** Runs at each change; without it, when the screen renders. */
  subscribe?: (run: () => void) => () => void;
  /** Whether it matters who else edits. */
  isShared?: boolean;
};

type Kept = { text: string; version: number; at: string | null };

export type FormDraft = ReturnType<typeof useDraft>;

export function useDraft({ name, collect, restore, clear, subscribe, isShared = false }: Source) {
  const record = use(NumberContext);
  const key = `typed ${use(StaffContext)?.id} ${name}`;
  const [stored] = useState(() => storedAt(key));
  const [state, setState] = useState({ isKept: false, restoredAt: '', fault: '' });
  const change = (changes: Partial<typeof state>) => setState(before => ({ ...before, ...changes }));
  const [editor, setEditor] = useState<Editor | null>(null);
  const [other, setOther] = useState<Kept>();
  /** The version that the server has, once it is known; and the last attempt, whose reply may be lost. */
  const server = useRef<{ version?: number; attempt?: string; isTakeOver?: boolean; isSent?: boolean }>({});
  const keeper = useRef<Keeper>(null);
  const read = useQuery({
    ...draftQuery(name, record),
    refetchInterval: query => (query.state.data ? isShared && READ_AGAIN_MS : RETRY_MS),
  });

  const send = useEffectEvent(async (text: string | null): Promise<void> => {
    const { version, attempt, isTakeOver = false } = server.current;
    if (version === undefined || other) throw new Error('The text waits.');
    if (text === null && !isTakeOver) {
      if (version !== 0) await dropDraft(name, record, version);
      server.current.version = 0;
      change({ isKept: false, fault: '' });
      return;
    }
    const written = text ?? '';
    server.current.attempt = written;
    try {
      const kept = await keepDraft(name, record, { text: written, version, take_over: isTakeOver });
      Object.assign(server.current, { version: kept.version, isTakeOver: false });
      setEditor(kept.editor);
      change({ isKept: text !== null, fault: '' });
      if (collect() === text) setStored(key, undefined);
    } catch (error) {
      if (isStatus(error, 409)) {
        const { data } = await read.refetch();
        // Either nothing is there, or the reply to an earlier attempt was lost.
        if (data && (data.version === 0 || data.text === attempt || data.text === written))
          server.current.version = data.version;
        else if (data) setOther(data);
      } else if (isStatus(error, 413, 422)) change({ fault: messageOf(error, words.common.failed) });
      throw error;
    }
  });
  /** Takes down what the form has now. */
  const note = () => {
    const text = collect();
    const { version, isSent } = server.current;
    if (isSent || (version === undefined && text === null)) return;
    keeper.current?.set(text);
    const isWaiting = text !== null && !keeper.current?.isKept();
    setStored(key, isWaiting ? { text, version: version ?? 0 } : undefined);
  };
  const onChange = useEffectEvent(() => {
    server.current.isSent = false;
    note();
  });
  const onRead = useEffectEvent((draft: Kept & { editor: Editor | null }) => {
    setEditor(draft.editor);
    if (server.current.version !== undefined) return;
    server.current.version = draft.version;
    keeper.current?.setKept(draft.text || null);
    const earlier = stored?.text || draft.text;
    const typed = collect();
    if (earlier === '' || typed === earlier) return;
    if (typed !== null) return setOther({ ...draft, text: earlier });
    restore(earlier);
    change({ isKept: true, restoredAt: draft.at ?? new Date().toISOString() });
    // Another window has gone on from what this tab began on.
    if (draft.text !== '' && draft.text !== earlier && draft.version !== stored?.version) setOther(draft);
  });
  const onSubscribe = useEffectEvent((run: () => void) => subscribe?.(run) ?? (() => undefined));
  const collectLast = useEffectEvent(() => collect());
  useEffect(() => {
    const own = createKeeper(text => send(text));
    const known = server.current;
    keeper.current = own;
    const flush = () => void own.flush();
    const unsubscribe = onSubscribe(onChange);
    document.addEventListener('visibilitychange', flush);
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', flush);
      // A person who took over and typed nothing edits no longer.
      if (known.version && collectLast() === null) own.setKept(undefined);
      void own.close();
    };
  }, []);
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the fields are the form's, which an effect sets
    if (read.data) onRead(read.data);
  }, [read.data]);
  useEffect(note);

  return {
    ...state,
    editor,
    other,
    collect,
    takeOver: () => {
      server.current.isTakeOver = true;
      keeper.current?.setKept(undefined);
      void keeper.current?.flush();
    },
    throwAway: async () => {
      clear();
      change({ restoredAt: '', fault: '' });
      // Also what a call that was on its way has kept.
      const { data } = await read.refetch();
      if (data) server.current.version = data.version;
      keeper.current?.setKept(undefined);
      await keeper.current?.flush();
    },
    /** Goes on with the text of the other window, or with the one here. */
    choose: (isOther: boolean) => {
      if (!other) return;
      server.current.version = other.version;
      keeper.current?.setKept(undefined);
      setOther(undefined);
      if (isOther) restore(other.text);
    },
    /** The form was sent with this text; what was typed meanwhile stays. */
    sent: async (text: string | null) => {
      const typed = collect();
      server.current.isSent = typed === text;
      keeper.current?.set(typed === text ? null : typed);
      if (typed === text) setStored(key, undefined);
      await keeper.current?.flush();
      if (typed !== text) return;
      // Also the empty text of a person who has just taken over.
      keeper.current?.setKept(undefined);
      await keeper.current?.flush();
    },
  };
}

/** The draft of a form of react-hook-form: the fields that differ from those it began with. */
export function useFormDraft<Input extends FieldValues, Output extends FieldValues>(
  form: UseFormReturn<Input, unknown, Output>,
  name: string,
): FormDraft {
  return useDraft({
    name,
    collect: () => {
      const begun: Record<string, unknown> = form.formState.defaultValues ?? {};
      const typed = Object.entries(form.getValues()).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(begun[field]),
      );
      return typed.length > 0 ? JSON.stringify(Object.fromEntries(typed)) : null;
    },
    restore: text => {
      // Fields of an earlier release may be gone.
      const typed = Object.entries(parsed(text) ?? {}).filter(([field]) => field in form.getValues());
      for (const [field, value] of typed)
        form.setValue(field as never, value as never, { shouldDirty: true });
    },
    clear: () => form.reset(),
    subscribe: run => form.subscribe({ formState: { values: true }, callback: run }),
  });
}

/** What the form says of its draft. */
export function DraftNotices({ draft, isTyped }: { draft: FormDraft; isTyped: boolean }) {
  const { editor, other, restoredAt, choose, takeOver } = draft;
  return (
    <>
      {restoredAt !== '' && isTyped && !other && (
        <p className="notice" role="status">
          {texts.restored({ at: dateTime(restoredAt) })}
        </p>
      )}
      {other && (
        <div className="notice bad stack" role="alert">
          <p>{texts.elsewhere}</p>
          <div className="actions">
            <Button onClick={() => choose(true)}>{texts.takeOther}</Button>
            <Button onClick={() => choose(false)}>{texts.keepThis}</Button>
          </div>
        </div>
      )}
      {editor && (
        <div className="notice bad stack" role="status">
          <p>{texts.edits({ name: editor.name, at: dateTime(editor.at) })}</p>
          <div className="actions">
            <Button onClick={takeOver}>{texts.takeOver}</Button>
          </div>
        </div>
      )}
    </>
  );
}

/** Below the form's buttons: where the text is, and the way to be rid of it. */
export function DraftFoot({ draft, isTyped }: { draft: FormDraft; isTyped: boolean }) {
  if (!isTyped || !(draft.isKept || draft.fault)) return null;
  return (
    <p className="draft-foot muted small">
      <span>{draft.fault || texts.kept}</span>
      <Button tone="quiet" onClick={() => void draft.throwAway()}>
        {texts.throwAway}
      </Button>
    </p>
  );
}

/** JSON as an object; nothing where it is none, as in what an earlier release left. */
export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What the tab has and the server has not, and the version that it replaces. */
function storedAt(key: string): { text: string; version: number } | undefined {
  const stored = parsed(getSessionItem(key));
  return stored && { text: String(stored.text), version: Number(stored.version) };
}

const setStored = (key: string, stored: { text: string; version: number } | undefined) =>
  setSessionItem(key, stored ? JSON.stringify(stored) : '');
