/** Pauses charges, and resumes them: those of a network, of a brand, or all. */

import { useState } from 'react';
import type { ChargePause, ChargePauses } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { dateTime } from '../format';
import { Button } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Screen } from '../ui/Screen';
import { Loaded } from '../ui/States';
import { words } from '../words';
import { pauseCharges, pausesQuery, readAgain, resumeCharges } from './api';
import { ALL, pauseSentence, type Scope, scopeName } from './scope';
import './charges.css';

const texts = words.charges;

/** What can be paused: all, each network that does not charge by itself, each brand. */
const scopesOf = ({ networks, services }: ChargePauses): Scope[] => [
  ALL,
  ...networks
    .filter(({ charges_by_itself }) => !charges_by_itself)
    .map(({ network }) => ({ ...ALL, network })),
  ...services.map(service => ({ ...ALL, ...service })),
];

const keyOf = ({ network, svc_id }: Scope): string => `${network} ${svc_id}`;

type Decision = { to: 'pause' | 'resume'; scope: Scope };

export function ChargesScreen() {
  const [decision, decide] = useState<Decision>();
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={useQuery(pausesQuery)}>{data => <Pauses {...data} decide={decide} />}</Loaded>
      {decision && <DecisionDialog decision={decision} onClose={() => decide(undefined)} />}
    </Screen>
  );
}

function Pauses({ decide, ...data }: ChargePauses & { decide: (decision: Decision) => void }) {
  const { pauses, ended, networks } = data;
  const byThemselves = networks.filter(({ charges_by_itself }) => charges_by_itself);
  const paused = new Set(pauses.map(keyOf));
  const open = scopesOf(data).filter(scope => !paused.has(keyOf(scope)));
  const [key, choose] = useState('');
  const chosen = open.find(scope => keyOf(scope) === key) ?? open[0];
  return (
    <>
      <section className="panel">
        <h2>{texts.now}</h2>
        {pauses.length === 0 ? (
          <p>{texts.none}</p>
        ) : (
          <ul className="pauses">
            {pauses.map(pause => (
              <li key={keyOf(pause)}>
                <p>{pauseSentence(pause)}</p>
                <Button
                  aria-label={texts.resumeOf({ charges: scopeName(pause) })}
                  onClick={() => decide({ to: 'resume', scope: pause })}
                >
                  {texts.resume}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </section>
      {chosen && (
        <section className="panel stack">
          <h2>{texts.pauseTitle}</h2>
          <div className="filters">
            <Choice
              label={texts.which}
              value={keyOf(chosen)}
              options={open.map(scope => [keyOf(scope), scopeName(scope)])}
              onChange={choose}
            />
            <Button tone="danger" onClick={() => decide({ to: 'pause', scope: chosen })}>
              {texts.pause}
            </Button>
          </div>
          {byThemselves.length > 0 && (
            <p className="muted small">
              {texts.byThemselves({ networks: byThemselves.map(({ network }) => network).join(', ') })}
            </p>
          )}
        </section>
      )}
      {ended.length > 0 && (
        <section className="panel">
          <h2>{texts.earlier}</h2>
          <DataTable
            label={texts.earlier}
            columns={COLUMNS}
            rows={ended}
            keyOf={pause => `${keyOf(pause)} ${pause.since}`}
          />
        </section>
      )}
    </>
  );
}

function DecisionDialog({ decision: { to, scope }, onClose }: { decision: Decision; onClose: () => void }) {
  const isPause = to === 'pause';
  const of = isPause ? texts.pauseDialog : texts.resumeDialog;
  return (
    <ReasonDialog
      title={of.title({ charges: scopeName(scope) })}
      text={of.text}
      submit={of.submit}
      danger={isPause}
      run={async reason => {
        const { network, svc_id } = scope;
        await (isPause ? pauseCharges : resumeCharges)({ network, svc_id, reason });
        void notify(of.done, 'done');
        void readAgain();
      }}
      onClose={onClose}
    />
  );
}

const moment = (at: string, by: string, reason: string) => (
  <div>
    {dateTime(at)}
    <span className="muted small block">{by}</span>
    <span className="muted small block">{reason}</span>
  </div>
);

const COLUMNS: Column<ChargePause>[] = [
  { id: 'charges', header: texts.which, kind: 'wide', cell: scopeName },
  {
    id: 'paused',
    header: texts.paused,
    kind: 'wide',
    cell: ({ since, made_by, reason }) => moment(since, made_by, reason),
  },
  {
    id: 'resumed',
    header: texts.resumed,
    kind: 'wide',
    cell: ({ end }) => end && moment(end.at, end.made_by, end.reason),
  },
];
