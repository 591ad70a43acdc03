/** The receipt of each day: what was charged or given back and by which consent, and what this phone has watched. */
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { ReceiptEntry } from '../../shared/contract/sites';
import { notify } from '../../shared/ui/notify';
import { send } from '../api/client';
import { messageOf } from '../api/problem';
import { queryClient, useInfiniteQuery, useMutation } from '../api/query-client';
import { brand, rand } from '../brand';
import { plainDate } from '../clock';
import { useHydrated } from '../hydration';
import { decimal, langOf, t } from '../messages';
import { paths } from '../paths';
import { isOpen, ME, useSession } from '../session';
import { useVisitor } from '../visitor';
import { PriceLine } from './PriceLine';
import { type ReceiptDay, receiptDays, receiptQuery } from './receipt';
import { Loaded } from './States';
import { ConfirmButton } from './VisitorBar';
import { watchedDays } from './watched-days';

/** `number`: what STOP and REFUND go to; may be empty. */
export function Receipt({ number }: { number: string }) {
  const session = useSession();
  const list = useInfiniteQuery({ ...receiptQuery, enabled: isOpen(session) });
  return (
    <section className="mine-section">
      <h2>{t('receipt')}</h2>
      <p className="receipt-note">{t('receipt-about')}</p>
      {session === null ? (
        <>
          <Days entries={[]} isWhole />
          <NoSession />
        </>
      ) : (
        <Loaded
          query={list}
          isEmpty={() => false}
          skeleton={<div className="receipt-day skeleton receipt-skeleton" />}
          empty=""
        >
          {({ items }) => (
            <>
              {items.length === 0 && <p>{t('receipt-empty')}</p>}
              <Days entries={items} isWhole={!list.hasNextPage} />
              {list.hasNextPage && (
                <button
                  type="button"
                  className="button button-quiet"
                  disabled={list.isFetchingNextPage}
                  onClick={() => list.fetchNextPage()}
                >
                  {t(list.isFetchingNextPage ? 'loading-more' : 'show-more')}
                </button>
              )}
              <p className="receipt-note">
                {t('not-wanted-about')} {number && t('not-wanted-sms', { number })}
              </p>
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}

function Days({ entries, isWhole }: { entries: ReceiptEntry[]; isWhole: boolean }) {
  const hydrated = useHydrated(() => true, false);
  const days = useMemo(
    () => receiptDays(entries, hydrated ? watchedDays() : [], isWhole),
    [entries, hydrated, isWhole],
  );
  const last = entries.find(({ kind }) => kind === 'charge')?.id;
  return days.map(each => <Day key={each.day} last={last} {...each} />);
}

const weight = (bytes = 0) => `${decimal(bytes / 1e6, 1)} MB`;

function Day({ day, entries, watched, last }: ReceiptDay & { last: number | undefined }) {
  return (
    <article className="receipt-day">
      <h3>{plainDate(day)}</h3>
      {entries.map(entry => (
        <Entry key={entry.id} entry={entry} isLast={entry.id === last} />
      ))}
      {watched && (
        <p className="receipt-watched">
          {t('watched-here', { amount: weight(watched.bytes) })}
          {(watched.saved || watched.fromSaved) && (
            <span>
              {t('saved-here', { saved: weight(watched.saved), watched: weight(watched.fromSaved) })}
            </span>
          )}
          {watched.films.map(([to, title, lang]) => (
            <Link key={to} to={to} lang={langOf(lang)}>
              {title}
            </Link>
          ))}
        </p>
      )}
    </article>
  );
}

function Entry({ entry, isLast }: { entry: ReceiptEntry; isLast: boolean }) {
  const { kind, status, network, consent } = entry;
  const price = rand(entry.cents);
  if (kind === 'refund') {
    return <p>{t(status === 'settled' ? 'given-back' : 'giving-back', { price, network })}</p>;
  }
  return (
    <>
      <p>{t('charged', { price, network })}</p>
      <details open={isLast}>
        <summary>{consent ? t('why-charged', { date: plainDate(consent.at) }) : t('why-unknown')}</summary>
        {consent && (
          <blockquote lang={consent.language || undefined}>
            {consent.words || t('words-of-network')}
          </blockquote>
        )}
        <Complaint entry={entry} />
      </details>
    </>
  );
}

function Complaint({ entry: { day, cents, complaint } }: { entry: ReceiptEntry }) {
  const hydrated = useHydrated(() => true, false);
  const complaining = useMutation({
    mutationFn: () => send('POST /api/subscribe/complaint', { day }),
    onSuccess: () =>
      Promise.all(
        [receiptQuery.queryKey, [ME]].map(queryKey => queryClient().invalidateQueries({ queryKey })),
      ),
    onError: error => notify(messageOf(error, t('went-wrong'))),
  });
  const outcome = complaining.data ?? complaint;
  if (outcome) {
    return (
      <p className="receipt-outcome" role="status">
        {outcome.case === null
          ? t('complaint-refunded', { price: rand(cents) })
          : t('complaint-case', { number: outcome.case, helpline: brand().helpline })}
      </p>
    );
  }
  // Without scripts an SMS does the same.
  return (
    hydrated && (
      <button
        type="button"
        className="button button-quiet"
        disabled={complaining.isPending}
        onClick={() => complaining.mutate()}
      >
        {t(complaining.isPending ? 'loading-button' : 'not-wanted')}
      </button>
    )
  );
}

function NoSession() {
  const { active } = useVisitor();
  if (active)
    return (
      <>
        <p>{t('receipt-confirm')}</p>
        <ConfirmButton />
      </>
    );
  return (
    <>
      <p>{t('receipt-join')}</p>
      <PriceLine />
      <Link className="button" to={paths.join()}>
        {t('JOIN')}
      </Link>
    </>
  );
}
