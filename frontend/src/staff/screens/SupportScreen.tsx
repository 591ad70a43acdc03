/** A number's record: who it is (masked), its subscriptions, notes, and the timeline over all brands. */

import { useEffect, useRef, useState } from 'react';
import type { Format, NumberRecord, SubscriptionView } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import {
  addNote,
  changeBlock,
  client,
  endSubscription,
  makeDossier,
  recordQuery,
  refund,
  retryMessage,
  revealNumber,
} from '../api';
import { day, days, rands } from '../format';
import { noteForm, showRefusal, useChecked } from '../forms';
import { PersonalData } from '../privacy/PersonalData';
import { useLookup } from '../staff';
import { type Entry, type Refundable, sumOf } from '../timeline';
import { Button } from '../ui/Button';
import { NumberContext, useFormDraft } from '../ui/drafts';
import { Form } from '../ui/Form';
import { TextArea } from '../ui/fields';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { useAskFirst } from '../ui/unsaved';
import { wordFor, words } from '../words';
import { Cases } from './Cases';
import { useLive } from './live';
import { outcomeOf } from './refunds';
import { Timeline } from './Timeline';

const texts = words.support;
/** How long a revealed number stays on the screen. */
const REVEALED_MS = 60_000;

export function SupportScreen() {
  const { number, setNumber } = useLookup();
  const ask = useAskFirst();
  const record = useQuery({ ...recordQuery(number), enabled: number !== '' });
  if (number === '')
    return (
      <Screen title={texts.title}>
        <Empty title={texts.empty}>
          <p className="muted">{texts.emptyText}</p>
          <p className="muted keys-hint">{texts.emptyKeys}</p>
        </Empty>
        <Cases />
      </Screen>
    );
  return (
    <Screen
      title={texts.title}
      actions={
        <>
          <Button disabled={record.isFetching} onClick={() => void record.refetch()}>
            {words.common.refresh}
          </Button>
          <Button onClick={() => ask(() => setNumber(''))}>{texts.close}</Button>
        </>
      }
    >
      <Loaded query={record} what={texts.searching}>
        {data => (
          <NumberContext value={data.ref}>
            <RecordView key={data.masked} record={data} readAt={record.dataUpdatedAt} number={number} />
          </NumberContext>
        )}
      </Loaded>
    </Screen>
  );
}

type Open =
  | { action: 'reveal' | 'block' | 'unblock' }
  | { action: 'dossier'; format: Format }
  | { action: 'end'; subscription: SubscriptionView }
  | { action: 'refund'; charges: Refundable[]; onDone: (() => void) | undefined }
  | { action: 'retry'; entry: Entry };

type ViewProps = { record: NumberRecord; readAt: number; number: string };

function RecordView({ record, readAt, number }: ViewProps) {
  const list = useRef<HTMLOListElement>(null);
  const live = useLive(number, record, readAt, list);
  const [open, setOpen] = useState<Open>();
  const [revealed, setRevealed] = useState('');
  useEffect(() => {
    if (revealed === '') return;
    const timer = setTimeout(() => setRevealed(''), REVEALED_MS);
    return () => clearTimeout(timer);
  }, [revealed]);
  const renew = () => void client.invalidateQueries(recordQuery(number));
  const close = () => setOpen(undefined);
  const { ref } = record;
  return (
    <div className="record">
      <aside className="record-side">
        <section className="panel identity">
          <p className="label">{texts.number}</p>
          <p className="number mono">{revealed || record.masked}</p>
          <div className="actions">
            {revealed ? (
              <Button onClick={() => setRevealed('')}>{texts.hideNumber}</Button>
            ) : (
              <Button onClick={() => setOpen({ action: 'reveal' })}>{texts.reveal}</Button>
            )}
            <Button onClick={() => setOpen({ action: record.blocked ? 'unblock' : 'block' })}>
              {record.blocked ? texts.unblock : texts.block}
            </Button>
            <Button onClick={() => setOpen({ action: 'dossier', format: 'html' })}>{texts.dossier}</Button>
            <Button onClick={() => setOpen({ action: 'dossier', format: 'json' })}>
              {texts.dossierData}
            </Button>
          </div>
          {record.blocked && (
            <div className="blocked">
              <p className="strong">
                {texts.blockedSince({ by: record.blocked.by, date: day(record.blocked.at) })}
              </p>
              <p className="muted small">{record.blocked.reason}</p>
            </div>
          )}
          <p className="label">{texts.spent}</p>
          <p className="amount">{rands(record.month_spend_cents)}</p>
          <p className="muted small">{texts.spentHint}</p>
        </section>
        <Subscriptions
          subscriptions={record.subscriptions}
          onEnd={subscription => setOpen({ action: 'end', subscription })}
        />
        <PersonalData record={record} />
        <NoteForm record={record} onAdded={renew} />
      </aside>
      <Timeline
        record={record}
        live={live}
        list={list}
        onRefund={(charges, onDone) => setOpen({ action: 'refund', charges, onDone })}
        onRetry={entry => setOpen({ action: 'retry', entry })}
      />
      {open?.action === 'reveal' && (
        <ReasonDialog
          title={texts.revealTitle}
          text={texts.revealText}
          submit={texts.revealSubmit}
          run={async reason => setRevealed(await revealNumber(ref, reason))}
          onClose={close}
        />
      )}
      {open?.action === 'dossier' && (
        <ReasonDialog
          title={texts.dossierTitle}
          text={texts.dossierHint}
          submit={texts.dossierSubmit}
          suggestions={texts.reasons}
          run={reason => makeDossier(ref, open.format, reason)}
          onClose={close}
        />
      )}
      {(open?.action === 'block' || open?.action === 'unblock') && (
        <ReasonDialog
          title={open.action === 'block' ? texts.blockTitle : texts.unblockTitle}
          text={open.action === 'block' ? texts.blockText : texts.unblockText}
          submit={open.action === 'block' ? texts.blockSubmit : texts.unblockSubmit}
          danger={open.action === 'block'}
          run={async reason => {
            const blocks = open.action === 'block';
            await changeBlock(ref, blocks, reason);
            void notify(blocks ? texts.blocked : texts.unblocked, 'done');
            renew();
          }}
          onClose={close}
        />
      )}
      {open?.action === 'end' && (
        <ReasonDialog
          title={texts.endTitle({ service: open.subscription.service })}
          text={texts.endText}
          submit={texts.endSubmit}
          danger
          suggestions={texts.reasons}
          run={async reason => {
            await endSubscription(ref, open.subscription.id, reason);
            void notify(texts.ended({ service: open.subscription.service }), 'done');
            renew();
          }}
          onClose={close}
        />
      )}
      {open?.action === 'refund' && (
        <Refund
          record={record}
          charges={open.charges}
          onDone={() => {
            open.onDone?.();
            renew();
          }}
          onClose={close}
        />
      )}
      {open?.action === 'retry' && (
        <ReasonDialog
          title={texts.retryTitle}
          subject={open.entry.message_id ?? 0}
          text={texts.retryText}
          submit={texts.retrySubmit}
          run={async reason => {
            await retryMessage(ref, open.entry.message_id ?? 0, reason);
            void notify(texts.retried, 'done');
            renew();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

/** By brand, in the order of the timeline. */
const byService = (charges: Refundable[]): [string, Refundable[]][] =>
  [...new Set(charges.map(({ service }) => service))].map(service => [
    service,
    charges.filter(charge => charge.service === service),
  ]);

type RefundProps = {
  record: NumberRecord;
  charges: Refundable[];
  onDone: () => void;
  onClose: () => void;
};

function Refund({ record, charges, onDone, onClose }: RefundProps) {
  const cents = sumOf(charges);
  const limits = { left: rands(record.refund_left_cents), limit: rands(record.refund_limit_cents) };
  const waits = cents > record.refund_left_cents;
  return (
    <ReasonDialog
      title={texts.refundTitle({ cents: rands(cents) })}
      text={
        <>
          <ul>
            {byService(charges).map(([service, of]) => (
              <li key={service}>
                {texts.refundLine({
                  service,
                  count: of.length,
                  cents: rands(sumOf(of)),
                  days: days(of.at(-1)?.at ?? '', of[0]?.at ?? ''),
                })}
              </li>
            ))}
          </ul>
          <p>{texts.refundText}</p>
          <p className={waits ? 'strong' : undefined}>
            {waits ? texts.refundSecond(limits) : texts.refundLeft(limits)}
          </p>
        </>
      }
      submit={texts.refundSubmit}
      suggestions={texts.reasons}
      run={async reason => {
        const ids = charges.map(({ ledger_id }) => ledger_id);
        void notify(outcomeOf(await refund(record.ref, ids, reason)), 'done');
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function toneOf({ state, can_end }: SubscriptionView): string {
  if (!can_end) return '';
  return state === 'active' ? 'good' : 'warm';
}

const priceOf = ({ price_cents, period }: SubscriptionView): string =>
  texts.price({ price: rands(price_cents), period: wordFor(texts.periods, period) });

type SubscriptionsProps = {
  subscriptions: SubscriptionView[];
  onEnd: (subscription: SubscriptionView) => void;
};

function Subscriptions({ subscriptions, onEnd }: SubscriptionsProps) {
  return (
    <section className="panel" aria-labelledby="subscriptions">
      <h2 id="subscriptions">{texts.subscriptions}</h2>
      {subscriptions.length === 0 && <p className="muted">{texts.noSubscriptions}</p>}
      <ul className="lines">
        {subscriptions.map(subscription => (
          <li key={subscription.id}>
            <div className="row-text">
              <p className="with-badge">
                <span className="strong">{subscription.service}</span>
                <span className={`badge ${toneOf(subscription)}`}>
                  {wordFor(texts.states, subscription.state)}
                </span>
              </p>
              <p className="muted small">
                {priceOf(subscription)}, {texts.since({ date: day(subscription.since) })}
                {subscription.network && ` · ${subscription.network}`}
              </p>
            </div>
            {subscription.can_end && (
              <Button
                aria-label={texts.endOf({ service: subscription.service })}
                onClick={() => onEnd(subscription)}
              >
                {texts.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoteForm({ record, onAdded }: { record: NumberRecord; onAdded: () => void }) {
  const form = useChecked(noteForm, { text: '', complaint: false });
  const draft = useFormDraft(form, 'note');
  const { errors, isSubmitting } = form.formState;
  const add = async ({ text, complaint }: { text: string; complaint: boolean }) => {
    try {
      await addNote(record.ref, complaint ? 'complaint' : 'note', text);
    } catch (error) {
      showRefusal(form, error);
      throw error;
    }
    form.reset();
    void notify(texts.noted, 'done');
    onAdded();
  };
  return (
    <section className="panel record-notes" aria-labelledby="notes">
      <h2 id="notes">{texts.notes}</h2>
      <Form
        form={form}
        draft={draft}
        className="stack tight"
        onSubmit={add}
        actions={
          <Button type="submit" disabled={isSubmitting}>
            {texts.addNote}
          </Button>
        }
      >
        <TextArea
          label={texts.note}
          placeholder={texts.notePlaceholder}
          fault={errors.text?.message}
          field={form.register('text')}
        />
        <label className="inline">
          <input type="checkbox" {...form.register('complaint')} />
          {texts.complaint}
        </label>
      </Form>
    </section>
  );
}
