/** Taking a record down and putting it back, each with a reason. */

import { useState } from 'react';
import type { CatalogueRecord } from '../../shared/contract/staff';
import { notify } from '../../shared/ui/notify';
import { Button } from '../ui/Button';
import { ReasonDialog } from '../ui/ReasonDialog';
import { changeState, readAgain } from './api';
import type { Place } from './types';
import { words } from './words';

const texts = words.record;

const ACTIONS = {
  unlisted: { name: texts.unlist, text: texts.unlistText, done: texts.takenDown, danger: true },
  deleted: { name: texts.takeDown, text: texts.takeDownText, done: texts.takenDown, danger: true },
  listed: { name: texts.putBack, text: texts.putBackText, done: texts.putBackDone, danger: false },
};
type Action = keyof typeof ACTIONS;

/** A record that is taken down can be put back; another one can go further. */
const actionsOf = ({ held, record: { state } }: CatalogueRecord): Action[] => {
  const further: Action[] =
    state === 'deleted' ? [] : state === 'unlisted' ? ['deleted'] : ['unlisted', 'deleted'];
  return held || state === 'deleted' ? [...further, 'listed'] : further;
};

export function StateActions({ place, live }: { place: Place; live: CatalogueRecord }) {
  const [open, setOpen] = useState<Action>();
  return (
    <>
      {actionsOf(live).map(action => (
        <Button key={action} onClick={() => setOpen(action)}>
          {ACTIONS[action].name}
        </Button>
      ))}
      {open && (
        <ReasonDialog
          title={`${ACTIONS[open].name}: ${live.title || live.slug}`}
          subject={live.id}
          text={ACTIONS[open].text}
          submit={ACTIONS[open].name}
          danger={ACTIONS[open].danger}
          suggestions={ACTIONS[open].danger ? texts.reasons : []}
          run={async reason => {
            await changeState(place, live.slug, open, reason);
            void notify(ACTIONS[open].done, 'done');
            void readAgain();
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
