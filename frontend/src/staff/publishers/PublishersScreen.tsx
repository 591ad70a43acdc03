/** The publishers of a month by brand: shares of held joins, early leaves and refunds; holds, and the evidence. */

import { useState } from 'react';
import type { Hold, PublisherLine, PublisherPage } from '../../shared/contract/staff';
import { useInfiniteQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { count, monthName, percent } from '../finance/figures';
import { dateTime } from '../format';
import { has } from '../roles';
import { useStaff } from '../staff';
import { Button } from '../ui/Button';
import { Choice, type Option } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { useFilter, useSearchField } from '../ui/filter';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Screen } from '../ui/Screen';
import { Empty, Loaded, More } from '../ui/States';
import { words } from '../words';
import { evidenceAddress, holdPublisher, publishersQuery, readAgain, releasePublisher } from './api';

const texts = words.publishers;

/** The months that have counts, newest first. */
export function monthsOf({ this_month, kept_months }: Pick<PublisherPage, 'this_month' | 'kept_months'>) {
  const [year = 0, month = 1] = this_month.split('-').map(Number);
  return Array.from({ length: kept_months + 1 }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
}

type Decision = { to: 'hold' | 'release'; ext_ref: string };

export function PublishersScreen() {
  const address = useFilter();
  const { get, set } = address;
  const { q, field } = useSearchField(address);
  const filter = {
    month: get('month'),
    svc_id: get('svc_id'),
    held: get('held'),
    sort: get('sort'),
    q,
  };
  const list = useInfiniteQuery(publishersQuery(filter));
  const staff = useStaff();
  const [decision, decide] = useState<Decision>();
  const page = list.data?.pages[0];
  const lines = list.data?.pages.flatMap(({ publishers }) => publishers) ?? [];
  return (
    <Screen title={texts.title} lead={texts.lead}>
      {page && (
        <div className="filters">
          <Choice
            label={texts.month}
            value={page.month}
            options={monthsOf(page).map(month => [month, monthName(month)])}
            onChange={month => set({ month })}
          />
          <Choice
            label={texts.brand}
            value={filter.svc_id}
            options={[
              ['', texts.allBrands],
              ...page.services.map(({ svc_id, service }): Option => [String(svc_id), service]),
            ]}
            onChange={svc_id => set({ svc_id })}
          />
          <Choice
            label={texts.state}
            value={filter.held}
            options={[
              ['', texts.anyState],
              ['true', texts.onlyHeld],
            ]}
            onChange={held => set({ held })}
          />
          <Choice
            label={texts.sort}
            value={filter.sort || 'name'}
            options={Object.entries(texts.sorts)}
            onChange={sort => set({ sort: sort === 'name' ? '' : sort })}
          />
          <label className="inline grow">
            {texts.search}
            <input
              {...field}
              maxLength={256}
              aria-keyshortcuts={has(staff, 'support') ? undefined : '/'}
              placeholder={texts.searchHint}
            />
          </label>
        </div>
      )}
      {page && !page.is_enforced && (
        <p className="notice" role="status">
          {texts.observed}
        </p>
      )}
      <Loaded query={list}>
        {() =>
          lines.length > 0 && page ? (
            <div className="scroll">
              <DataTable
                label={texts.title}
                columns={columnsOf(page.month, has(staff, 'administrator') ? decide : undefined)}
                rows={lines}
                keyOf={({ ext_ref, svc_id }) => `${svc_id} ${ext_ref}`}
              />
            </div>
          ) : (
            <Empty title={filter.q || filter.held || filter.svc_id ? texts.filtered : texts.empty} />
          )
        }
      </Loaded>
      <More list={list}>{texts.more}</More>
      {decision && <DecisionDialog decision={decision} onClose={() => decide(undefined)} />}
    </Screen>
  );
}

function DecisionDialog({ decision: { to, ext_ref }, onClose }: { decision: Decision; onClose: () => void }) {
  const isHold = to === 'hold';
  const of = isHold ? texts.holdDialog : texts.releaseDialog;
  return (
    <ReasonDialog
      title={of.title({ publisher: ext_ref })}
      text={of.text}
      submit={of.submit}
      danger={isHold}
      run={async reason => {
        await (isHold ? holdPublisher : releasePublisher)(ext_ref, reason);
        void notify(of.done, 'done');
        void readAgain();
      }}
      onClose={onClose}
    />
  );
}

const isUndecided = (hold: Hold | null): boolean => hold?.state === 'held' && hold.made_by === 'limits';

function State({ hold }: { hold: Hold | null }) {
  if (!hold) return null;
  const by = hold.made_by === 'limits' ? texts.limits : hold.made_by;
  return (
    <div>
      <span className={`badge ${hold.state === 'held' ? 'bad' : 'good'}`}>{texts.states[hold.state]}</span>
      <span className="muted small block">{texts.since({ date: dateTime(hold.at), by })}</span>
      <span className="muted small block">{hold.reason}</span>
    </div>
  );
}

/** A count with its share. */
const shared = (entries: number, basisPoints: number) => (
  <div>
    {count(entries)}
    <span className="muted small block">{percent(basisPoints)}</span>
  </div>
);

/** The columns; with the decisions for who may make them. */
function columnsOf(month: string, decide?: (decision: Decision) => void): Column<PublisherLine>[] {
  const nameOf = ({ ext_ref }: PublisherLine) => ext_ref || texts.own;
  return [
    {
      id: 'publisher',
      header: texts.publisher,
      kind: 'wide',
      cell: line => (
        <div>
          <span className="strong">{nameOf(line)}</span>
          <span className="muted small block">{line.service}</span>
        </div>
      ),
    },
    { id: 'state', header: texts.state, kind: 'wide', cell: ({ hold }) => <State hold={hold} /> },
    { id: 'tries', header: texts.tries, kind: 'sum', cell: ({ tries }) => count(tries) },
    { id: 'joins', header: texts.joins, kind: 'sum', cell: ({ confirmed }) => count(confirmed) },
    {
      id: 'codes',
      header: texts.codes,
      kind: 'sum',
      cell: ({ codes, passed_by_code }) => (
        <div>
          {count(codes)}
          <span className="muted small block">{texts.typed({ codes: passed_by_code })}</span>
        </div>
      ),
    },
    {
      id: 'held',
      header: texts.held,
      kind: 'sum',
      cell: ({ held, held_basis_points }) => shared(held, held_basis_points),
    },
    {
      id: 'left',
      header: texts.left,
      kind: 'sum',
      cell: ({ left_early, left_basis_points }) => shared(left_early, left_basis_points),
    },
    {
      id: 'refunded',
      header: texts.refunded,
      kind: 'sum',
      cell: ({ refunded, refunded_basis_points }) => shared(refunded, refunded_basis_points),
    },
    {
      id: 'actions',
      header: '',
      kind: 'actions',
      cell: line => {
        const { ext_ref, hold } = line;
        const publisher = nameOf(line);
        const isHeld = hold?.state === 'held';
        return (
          <div className="row-actions">
            <a
              className="button"
              data-item
              href={evidenceAddress('json', ext_ref, month)}
              download
              aria-label={texts.evidenceOf({ publisher })}
            >
              {texts.evidence}
            </a>
            <a
              className="button"
              href={evidenceAddress('csv', ext_ref, month)}
              download
              aria-label={texts.csvOf({ publisher })}
            >
              {texts.csv}
            </a>
            {decide && ext_ref !== '' && (!isHeld || isUndecided(hold)) && (
              <Button
                tone="danger"
                aria-label={(isHeld ? texts.keepOf : texts.holdOf)({ publisher })}
                onClick={() => decide({ to: 'hold', ext_ref })}
              >
                {isHeld ? texts.keep : texts.hold}
              </Button>
            )}
            {decide && isHeld && (
              <Button
                aria-label={texts.releaseOf({ publisher })}
                onClick={() => decide({ to: 'release', ext_ref })}
              >
                {texts.release}
              </Button>
            )}
          </div>
        );
      },
    },
  ];
}
