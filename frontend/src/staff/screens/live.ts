/** Reads an open record again, so that new events appear without a reload, and holds them back while a member of staff reads. */

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { NumberRecord } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { client, liveRecordQuery, recordQuery } from '../api';
import { usePresence } from '../presence';
import { newEntries } from '../timeline';

const INTERVAL_MS = 30_000;

const subscribe = (run: () => void) => {
  window.addEventListener('online', run);
  window.addEventListener('offline', run);
  return () => {
    window.removeEventListener('online', run);
    window.removeEventListener('offline', run);
  };
};
const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Whether new rows would move what a person reads or works on. */
const isReading = (list: HTMLElement | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (list !== null &&
    (list.contains(document.activeElement) ||
      list.querySelector('details[open]') !== null ||
      list.getBoundingClientRect().top < 0));

export type Live = {
  state: 'now' | 'offline' | 'silent' | 'away';
  /** When what is shown was read. */
  readAt: number;
  /** New entries that are held back. */
  waiting: number;
  /** The keys of the entries that came last. */
  fresh: ReadonlySet<string>;
  /** The key of the newest one, held back or not. */
  newest: string;
  show: () => void;
};

/** `list` is the element with the entries. A hidden tab does not read; the query waits for the connection by itself. */
export function useLive(
  number: string,
  record: NumberRecord,
  readAt: number,
  list: { current: HTMLElement | null },
): Live {
  const [present, online] = [usePresence(), useOnline()];
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    ...liveRecordQuery(record),
    initialData: record,
    initialDataUpdatedAt: readAt,
    refetchInterval: INTERVAL_MS,
  });
  const later = dataUpdatedAt > readAt;
  const news = later ? newEntries(record, data) : [];
  const show = () => {
    if (news.length > 0) setFresh(new Set(news.map(({ key }) => key)));
    client.setQueryData(recordQuery(number).queryKey, data, { updatedAt: dataUpdatedAt });
  };
  const onReply = useEffectEvent(() => {
    if (later && (news.length === 0 || !isReading(list.current))) show();
  });
  // eslint-disable-next-line react-hooks/set-state-in-effect -- the layout says whether a person reads, once, when the reply is there
  useEffect(() => onReply(), [dataUpdatedAt]);
  // Who comes back does not wait for the next turn.
  useEffect(() => {
    if (present && Date.now() - dataUpdatedAt > INTERVAL_MS) void refetch();
  }, [present, dataUpdatedAt, refetch]);
  return {
    state: !online ? 'offline' : isError ? 'silent' : present ? 'now' : 'away',
    readAt: Math.max(readAt, dataUpdatedAt),
    waiting: news.length,
    fresh,
    newest: news[0]?.key ?? [...fresh][0] ?? '',
    show,
  };
}
