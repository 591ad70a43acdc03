/** Complaints of subscribers that support decides. */

import { useState } from 'react';
import type { Case } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { casesQuery, client, closeCase } from '../api';
import { dateTime, rands } from '../format';
import { moveByArrows } from '../keyboard';
import { useLookup } from '../staff';
import { Button } from '../ui/Button';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Loaded } from '../ui/States';
import { words } from '../words';

const texts = words.support.cases;

export function Cases() {
  const cases = useQuery(casesQuery);
  const { setNumber } = useLookup();
  const [closing, setClosing] = useState<Case>();
  return (
    <section aria-labelledby="cases">
      <h2 id="cases">{texts.title}</h2>
      <Loaded query={cases}>
        {data =>
          data.length > 0 ? (
            <ul className="rows" onKeyDown={moveByArrows}>
              {data.map(each => (
                <li key={each.id} className="row" data-row>
                  <p className="amount">{rands(each.cents)}</p>
                  <div className="row-text">
                    <p className="strong">
                      #{each.id} · {each.service}
                    </p>
                    <p className="small">{each.text}</p>
                    <p className="muted small">
                      <span className="mono">{each.masked}</span> · {dateTime(each.at)}
                    </p>
                  </div>
                  <div className="row-actions">
                    <Button aria-label={texts.closeOf({ id: each.id })} onClick={() => setClosing(each)}>
                      {texts.close}
                    </Button>
                    <Button
                      tone="primary"
                      data-item
                      aria-label={texts.openOf({ id: each.id })}
                      onClick={() => setNumber(`#${each.id}`)}
                    >
                      {texts.open}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted">{texts.empty}</p>
          )
        }
      </Loaded>
      {closing && (
        <ReasonDialog
          title={texts.closeTitle({ id: closing.id })}
          text={texts.closeText}
          submit={texts.closeSubmit}
          run={async reason => {
            await closeCase(closing.id, reason);
            void notify(texts.closed({ id: closing.id }), 'done');
            void client.invalidateQueries(casesQuery);
          }}
          onClose={() => setClosing(undefined)}
        />
      )}
    </section>
  );
}
