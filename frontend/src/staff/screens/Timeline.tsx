/** The timeline of a number, newest first by day; an entry opens to its facts. */

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { NumberRecord } from '../../shared/contract/staff';
import { day as dayOf, longDay, rands, time } from '../format';
import { moveByArrows } from '../keyboard';
import {
  byDay,
  type Entry,
  entriesOf,
  filtered,
  type Group,
  isRefundable,
  NO_FILTER,
  type Refundable,
  servicesOf,
  sumOf,
} from '../timeline';
import { Button } from '../ui/Button';
import { Choice, type Option } from '../ui/Choice';
import { Empty } from '../ui/States';
import { wordFor, words } from '../words';
import type { Live } from './live';

const texts = words.support;
const GROUPS = Object.entries(texts.groups) as [Group, string][];

const countOf = (shown: number, of: number): string =>
  shown === of ? texts.entries({ count: of }) : texts.count({ shown, of });

/** Opens a consent of the list. */
function showConsent(list: HTMLElement | null, consent: string): void {
  const summary = list?.querySelector<HTMLElement>(`[data-consent="${CSS.escape(consent)}"] summary`);
  summary?.parentElement?.setAttribute('open', '');
  summary?.scrollIntoView({ block: 'center' });
  summary?.focus({ preventScroll: true });
}

type Props = {
  record: NumberRecord;
  live: Live;
  list: RefObject<HTMLOListElement | null>;
  /** `onDone` runs when what became of them is known. */
  onRefund: (charges: Refundable[], onDone?: () => void) => void;
  onRetry: (entry: Entry) => void;
};

export function Timeline({ record, live, list, onRefund, onRetry }: Props) {
  const [filter, setFilter] = useState(NO_FILTER);
  const all = useMemo(() => entriesOf(record), [record]);
  const shown = useMemo(() => filtered(all, filter), [all, filter]);
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const chosen = all.filter(isRefundable).filter(({ ledger_id }) => ids.has(ledger_id));
  const offered = shown.filter(isRefundable);
  const consents = new Set(all.map(({ kind, consent }) => kind === 'consent' && consent));
  const choose = (charges: Refundable[], on: boolean) => {
    const next = new Set(ids);
    for (const { ledger_id } of charges) {
      if (on) next.add(ledger_id);
      else next.delete(ledger_id);
    }
    setIds(next);
  };
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
        <label className="inline">
          {texts.filterSince}
          <input
            type="date"
            value={filter.since}
            onChange={event => setFilter({ ...filter, since: event.target.value })}
          />
        </label>
        {filter !== NO_FILTER && (
          <Button tone="quiet" onClick={() => setFilter(NO_FILTER)}>
            {words.common.clear}
          </Button>
        )}
        {offered.length > 1 && (
          <Button onClick={() => choose(offered, true)}>
            {texts.chooseAll({ count: offered.length, cents: rands(sumOf(offered)) })}
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
            <DayHead
              at={entries[0]?.at ?? day}
              charges={entries.filter(isRefundable)}
              ids={ids}
              choose={choose}
            />
            <ol className="entries">
              {entries.map(entry => (
                <EntryRow
                  key={entry.key}
                  entry={entry}
                  fresh={live.fresh.has(entry.key)}
                  tellsWhy={filter.day !== ''}
                  chosen={ids.has(entry.ledger_id ?? 0)}
                  choose={choose}
                  onRefund={onRefund}
                  onRetry={onRetry}
                  onConsent={
                    consents.has(entry.consent ?? '')
                      ? () => showConsent(list.current, entry.consent ?? '')
                      : undefined
                  }
                />
              ))}
            </ol>
          </li>
        ))}
      </ol>
      {chosen.length > 0 && (
        <div className="chosen">
          <p role="status">
            {texts.chosen({ count: chosen.length })} · <span className="cents">{rands(sumOf(chosen))}</span>
          </p>
          <Button tone="quiet" onClick={() => setIds(new Set())}>
            {texts.chooseNone}
          </Button>
          <Button tone="primary" onClick={() => onRefund(chosen, () => setIds(new Set()))}>
            {texts.refundChosen({ cents: rands(sumOf(chosen)) })}
          </Button>
        </div>
      )}
    </section>
  );
}

type Choose = (charges: Refundable[], on: boolean) => void;
type DayProps = { at: string; charges: Refundable[]; ids: ReadonlySet<number>; choose: Choose };

function DayHead({ at, charges, ids, choose }: DayProps) {
  return (
    <div className="day-head">
      <h3>{longDay(at)}</h3>
      {charges.length > 1 && (
        <label className="inline">
          {texts.chooseDay({ count: charges.length })}
          <input
            type="checkbox"
            aria-label={texts.chooseDayOf({ count: charges.length, day: dayOf(at) })}
            checked={charges.every(({ ledger_id }) => ids.has(ledger_id))}
            onChange={event => choose(charges, event.target.checked)}
          />
        </label>
      )}
    </div>
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

type RowProps = {
  entry: Entry;
  fresh: boolean;
  /** Beside what is opened. */
  tellsWhy: boolean;
  chosen: boolean;
  choose: Choose;
  onConsent: (() => void) | undefined;
} & Pick<Props, 'onRefund' | 'onRetry'>;

function EntryRow({ entry, fresh, tellsWhy, chosen, choose, onRefund, onRetry, onConsent }: RowProps) {
  const { at, kind, service, text, detail, cents, given_back, why, consent } = entry;
  const reason = why && (
    <p className="why small">
      {why}{' '}
      {onConsent && (
        <button type="button" className="link" onClick={onConsent}>
          {texts.showConsent}
        </button>
      )}
    </p>
  );
  return (
    <li className="entry" data-row data-kind={kind} data-consent={kind === 'consent' ? consent : undefined}>
      <details>
        <summary data-item>
          <time dateTime={at}>{time(at)}</time>
          <span className="kind">{wordFor(texts.kinds, kind)}</span>
          <span className="entry-text">
            {text}
            {service && <span className="muted"> · {service}</span>}
            {given_back && (
              <span className={`badge of-charge ${given_back === 'waits' ? 'warm' : 'good'}`}>
                {wordFor(texts.givenBack, given_back)}
              </span>
            )}
            {fresh && <span className="badge good fresh">{texts.live.fresh}</span>}
          </span>
          {cents !== null && cents !== undefined && <span className="cents">{rands(cents)}</span>}
        </summary>
        {!tellsWhy && reason}
        <p className="entry-detail">{detail || text}</p>
      </details>
      {isRefundable(entry) && (
        <div className="entry-actions">
          <input
            type="checkbox"
            aria-label={texts.chooseOf({ cents: rands(entry.open_cents), day: dayOf(at), service })}
            checked={chosen}
            onChange={event => choose([entry], event.target.checked)}
          />
          <Button
            aria-label={texts.refundOf({ cents: rands(entry.open_cents), day: dayOf(at) })}
            onClick={() => onRefund([entry])}
          >
            {given_back ? texts.refundChosen({ cents: rands(entry.open_cents) }) : texts.refund}
          </Button>
        </div>
      )}
      {entry.retryable && entry.message_id ? (
        <Button onClick={() => onRetry(entry)}>{texts.retry}</Button>
      ) : null}
      {tellsWhy && reason}
    </li>
  );
}
