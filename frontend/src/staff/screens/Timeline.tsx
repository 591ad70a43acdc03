/** The timeline of a number, newest first by day; an entry opens to its facts. */

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { NumberRecord } from '../../shared/contract/staff';
import { day as dayOf, longDay, rands, time } from '../format';
import { moveByArrows } from '../keyboard';
import { byDay, type Entry, entriesOf, filtered, type Group, NO_FILTER, servicesOf } from '../timeline';
import { Button } from '../ui/Button';
import { Choice, type Option } from '../ui/Choice';
import { Empty } from '../ui/States';
import { wordFor, words } from '../words';
import type { Live } from './live';

const texts = words.support;
const GROUPS = Object.entries(texts.groups) as [Group, string][];

const countOf = (shown: number, of: number): string =>
  shown === of ? texts.entries({ count: of }) : texts.count({ shown, of });

type Act = (entry: Entry) => void;
type Props = {
  record: NumberRecord;
  live: Live;
  list: RefObject<HTMLOListElement | null>;
  onRefund: Act;
  onRetry: Act;
};

export function Timeline({ record, live, list, onRefund, onRetry }: Props) {
  const [filter, setFilter] = useState(NO_FILTER);
  const all = useMemo(() => entriesOf(record), [record]);
  const shown = useMemo(() => filtered(all, filter), [all, filter]);
  const follows = useRef(false);
  // The rows are there once the record has them.
  useEffect(() => {
    if (!follows.current) return;
    follows.current = false;
    list.current?.closest('section')?.scrollIntoView();
    list.current?.querySelector<HTMLElement>('[data-item]')?.focus({ preventScroll: true });
  }, [record, list]);
  const announced = live.waiting || live.fresh.size;
  return (
    <section className="timeline" aria-labelledby="timeline">
      <header className="timeline-head">
        <h2 id="timeline">{texts.timeline}</h2>
        <p className="muted small" role="status">
          {countOf(shown.length, all.length)}
        </p>
        <LiveState live={live} />
      </header>
      <div className="filters">
        <fieldset className="segments">
          <legend className="sr">{texts.filterKind}</legend>
          {GROUPS.map(([group, name]) => (
            <label key={group}>
              <input
                type="radio"
                name="group"
                checked={filter.group === group}
                onChange={() => setFilter({ ...filter, group })}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <Choice
          label={texts.filterService}
          value={filter.service}
          options={[['', texts.allServices], ...servicesOf(all).map((each): Option => [each, each])]}
          onChange={service => setFilter({ ...filter, service })}
        />
        <label className="inline">
          {texts.filterDay}
          <input
            type="date"
            value={filter.day}
            onChange={event => setFilter({ ...filter, day: event.target.value })}
          />
        </label>
        {filter !== NO_FILTER && (
          <Button tone="quiet" onClick={() => setFilter(NO_FILTER)}>
            {words.common.clear}
          </Button>
        )}
      </div>
      <p className="sr" role="status">
        {announced > 0 && <span key={live.newest}>{texts.live.news({ count: announced })}</span>}
      </p>
      {live.waiting > 0 && (
        <div className="show-new">
          <Button
            tone="primary"
            onClick={() => {
              follows.current = true;
              live.show();
            }}
          >
            {texts.live.show({ count: live.waiting })}
          </Button>
        </div>
      )}
      {shown.length === 0 && <Empty title={all.length === 0 ? texts.none : texts.filtered} />}
      <ol ref={list} className="days" aria-label={texts.timelineLabel} onKeyDown={moveByArrows}>
        {byDay(shown).map(({ day, entries }) => (
          <li key={day}>
            <h3>{longDay(entries[0]?.at ?? day)}</h3>
            <ol className="entries">
              {entries.map(entry => (
                <EntryRow
                  key={entry.key}
                  entry={entry}
                  fresh={live.fresh.has(entry.key)}
                  onRefund={onRefund}
                  onRetry={onRetry}
                />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Whether new events appear, and what is the matter where they do not. */
function LiveState({ live: { state, readAt } }: { live: Live }) {
  return (
    <p className={`live small ${state}`} role="status" title={texts.live.hint}>
      {state === 'now'
        ? texts.live.now
        : texts.live.states[state]({ at: time(new Date(readAt).toISOString()) })}
    </p>
  );
}

type RowProps = { entry: Entry; fresh: boolean; onRefund: Act; onRetry: Act };

function EntryRow({ entry, fresh, onRefund, onRetry }: RowProps) {
  const { at, kind, service, text, detail, cents } = entry;
  return (
    <li className="entry" data-row data-kind={kind}>
      <details>
        <summary data-item>
          <time dateTime={at}>{time(at)}</time>
          <span className="kind">{wordFor(texts.kinds, kind)}</span>
          <span className="entry-text">
            {text}
            {service && <span className="muted"> · {service}</span>}
            {fresh && <span className="badge good fresh">{texts.live.fresh}</span>}
          </span>
          {cents !== null && cents !== undefined && <span className="cents">{rands(cents)}</span>}
        </summary>
        <p className="entry-detail">{detail || text}</p>
      </details>
      {entry.refundable && entry.ledger_id && cents ? (
        <Button
          aria-label={texts.refundOf({ cents: rands(cents), day: dayOf(at) })}
          onClick={() => onRefund(entry)}
        >
          {texts.refund}
        </Button>
      ) : null}
      {entry.retryable && entry.message_id ? (
        <Button onClick={() => onRetry(entry)}>{texts.retry}</Button>
      ) : null}
    </li>
  );
}
