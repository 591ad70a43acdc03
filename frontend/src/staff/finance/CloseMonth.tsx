/** Closing a month: what stands in the way, or the question with the figures that are kept. */

import { useState } from 'react';
import type { Book } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { words } from '../words';
import { closeMonth, differencesQuery, readAgain } from './api';
import { money, monthName } from './figures';

const texts = words.finance.close;

export function CloseMonth({ book: { month, obstacles, income_cents } }: { book: Book }) {
  const [open, setOpen] = useState(false);
  const { data: days = [] } = useQuery(differencesQuery);
  const unmatched = days.filter(({ day, state }) => day.startsWith(month) && state !== 'repaired').length;
  if (obstacles.length > 0)
    return (
      <p className="notice obstacles" role="status">
        {texts.obstacles} {obstacles.join(' ')}
      </p>
    );
  const name = monthName(month);
  return (
    <>
      <Button tone="primary" onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      {open && (
        <ConfirmDialog
          title={texts.title({ month: name })}
          text={
            <>
              <p>{texts.text}</p>
              <p className="kept">
                {texts.income} <span className="amount">{money(income_cents)}</span>
              </p>
              {unmatched > 0 && <p className="notice">{texts.unmatched({ days: unmatched })}</p>}
            </>
          }
          submit={texts.submit}
          primary
          run={async () => {
            await closeMonth(month, income_cents);
            void notify(texts.closed({ month: name }), 'done');
            void readAgain();
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
