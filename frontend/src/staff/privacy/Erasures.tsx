/** Erasures of numbers: those that wait for a second person, those on their way, and what became of the others. */

import { useState } from 'react';
import type { Erasure } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { dateTime } from '../format';
import { moveByArrows } from '../keyboard';
import { Button } from '../ui/Button';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Loaded } from '../ui/States';
import { words } from '../words';
import { decideErasure, erasuresQuery, letterAddress } from './api';
import './privacy.css';

const texts = words.privacy.erasures;
const BADGES: Record<Erasure['state'], string> = {
  waiting: 'warm',
  open: 'warm',
  done: 'good',
  refused: '',
  impossible: '',
};

export function Erasures() {
  const erasures = useQuery(erasuresQuery);
  const [open, setOpen] = useState<{ erasure: Erasure; accept: boolean }>();
  return (
    <section className="erasures" aria-labelledby="erasures">
      <h2 id="erasures">{texts.title}</h2>
      <Loaded query={erasures}>
        {data =>
          data.length > 0 ? (
            <ul className="rows" onKeyDown={moveByArrows}>
              {data.map(erasure => (
                <Row key={erasure.id} erasure={erasure} onDecide={accept => setOpen({ erasure, accept })} />
              ))}
            </ul>
          ) : (
            <p className="muted">{texts.empty}</p>
          )
        }
      </Loaded>
      {open && <Decision {...open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

/** Where it stands, below the row's first lines. */
function progressOf({ state, confirmed, missing, cause }: Erasure): string {
  if (state === 'impossible') return cause;
  if (state !== 'open') return '';
  const progress = texts.progress({
    confirmed: confirmed.length,
    all: confirmed.length + missing.length,
  });
  return [progress, cause, texts.goesOn].filter(text => text !== '').join(' ');
}

function Row({ erasure, onDecide }: { erasure: Erasure; onDecide: (accept: boolean) => void }) {
  const { state, masked, decided_by } = erasure;
  const decided =
    decided_by && (state === 'refused' ? texts.refusedBy : texts.confirmedBy)({ by: decided_by });
  const progress = progressOf(erasure);
  return (
    <li className="row" data-row>
      <div className="row-text">
        <p className="with-badge">
          <span className="mono">{masked}</span>
          <span className={`badge ${BADGES[state]}`}>{texts.states[state]}</span>
        </p>
        <p className="strong">{erasure.reason}</p>
        <p className="muted small">
          {texts.requested({ by: erasure.requested_by, at: dateTime(erasure.requested_at) })}
          {decided && ` · ${decided}`}
        </p>
        {progress !== '' && <p className="small">{progress}</p>}
      </div>
      {state === 'waiting' && erasure.mine && <p className="muted small row-actions">{texts.mine}</p>}
      {state === 'waiting' && !erasure.mine && (
        <div className="row-actions">
          <Button aria-label={texts.refuseOf({ masked })} onClick={() => onDecide(false)}>
            {texts.refuse}
          </Button>
          <Button
            tone="primary"
            data-item
            aria-label={texts.acceptOf({ masked })}
            onClick={() => onDecide(true)}
          >
            {texts.accept}
          </Button>
        </div>
      )}
      {state === 'done' && (
        <div className="row-actions">
          <a
            className="button"
            data-item
            href={letterAddress(erasure.id)}
            download
            aria-label={texts.letterOf({ masked })}
          >
            {texts.letter}
          </a>
        </div>
      )}
    </li>
  );
}

type DecisionProps = { erasure: Erasure; accept: boolean; onClose: () => void };

function Decision({ erasure, accept, onClose }: DecisionProps) {
  return (
    <ReasonDialog
      title={accept ? texts.acceptTitle(erasure) : texts.refuseTitle(erasure)}
      subject={erasure.id}
      text={accept ? texts.acceptText : texts.refuseText}
      submit={accept ? texts.acceptSubmit : texts.refuseSubmit}
      danger={accept}
      run={async reason => {
        await decideErasure(erasure.id, accept, reason);
        void notify(accept ? texts.accepted : texts.refused, 'done');
      }}
      onClose={onClose}
    />
  );
}
