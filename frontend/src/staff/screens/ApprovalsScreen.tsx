/** Refunds above the limit, and erasures, which a second person confirms or refuses. */

import { useState } from 'react';
import type { Approval } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { approvalsQuery, client, decide } from '../api';
import { dateTime, days, rands } from '../format';
import { moveByArrows } from '../keyboard';
import { Erasures } from '../privacy/Erasures';
import { Button } from '../ui/Button';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { outcomeOf } from './refunds';

const texts = words.approvals;

/** How many charges, of which brands and days. */
const chargesOf = ({ charges, services, first_day, last_day }: Approval): string =>
  [
    texts.charges({ count: charges }),
    services.join(', '),
    first_day && last_day ? days(first_day, last_day) : '',
  ]
    .filter(Boolean)
    .join(' · ');

export function ApprovalsScreen() {
  const approvals = useQuery(approvalsQuery);
  const [open, setOpen] = useState<{ approval: Approval; accept: boolean }>();
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={approvals}>
        {data =>
          data.length > 0 ? (
            <ul className="rows" onKeyDown={moveByArrows}>
              {data.map(approval => (
                <li key={approval.id} className="row" data-row>
                  <p className="amount">{rands(approval.cents)}</p>
                  <div className="row-text">
                    <p className="strong">{approval.reason}</p>
                    <p className="small">{chargesOf(approval)}</p>
                    <p className="muted small">
                      <span className="mono">{approval.masked}</span>
                      {' · '}
                      {texts.requested({ by: approval.requested_by, at: dateTime(approval.requested_at) })}
                    </p>
                  </div>
                  {approval.mine ? (
                    <p className="muted small row-actions">{texts.mine}</p>
                  ) : (
                    <div className="row-actions">
                      <Button
                        aria-label={texts.refuseOf({ cents: rands(approval.cents), masked: approval.masked })}
                        onClick={() => setOpen({ approval, accept: false })}
                      >
                        {texts.refuse}
                      </Button>
                      <Button
                        tone="primary"
                        data-item
                        aria-label={texts.acceptOf({ cents: rands(approval.cents), masked: approval.masked })}
                        onClick={() => setOpen({ approval, accept: true })}
                      >
                        {texts.accept}
                      </Button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={texts.empty} />
          )
        }
      </Loaded>
      <Erasures />
      {open && <Decision {...open} onClose={() => setOpen(undefined)} />}
    </Screen>
  );
}

type DecisionProps = { approval: Approval; accept: boolean; onClose: () => void };

function Decision({ approval, accept, onClose }: DecisionProps) {
  const amount = rands(approval.cents);
  return (
    <ReasonDialog
      title={accept ? texts.acceptTitle({ cents: amount }) : texts.refuseTitle({ cents: amount })}
      subject={approval.id}
      text={accept ? texts.acceptText : texts.refuseText}
      submit={accept ? texts.acceptSubmit : texts.refuseSubmit}
      danger={!accept}
      run={async reason => {
        void notify(outcomeOf(await decide(approval.id, accept, reason)), 'done');
        void client.invalidateQueries(approvalsQuery);
      }}
      onClose={onClose}
    />
  );
}
