/** What a person may ask for about their number: an export, and an erasure. */

import { useState } from 'react';
import type { Kept, NumberRecord } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { client } from '../api';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Loaded } from '../ui/States';
import { words as common } from '../words';
import { exportData, previewQuery, requestErasure } from './api';
import './privacy.css';

const texts = common.privacy.panel;

export function PersonalData({ record }: { record: NumberRecord }) {
  const [open, setOpen] = useState<'json' | 'html' | 'erase'>();
  const close = () => setOpen(undefined);
  return (
    <section className="panel personal-data" aria-labelledby="personal-data">
      <h2 id="personal-data">{texts.title}</h2>
      <p className="muted small">{texts.lead}</p>
      <div className="actions">
        <Button onClick={() => setOpen('json')}>{texts.export}</Button>
        <Button onClick={() => setOpen('html')}>{texts.exportPage}</Button>
        <Button onClick={() => setOpen('erase')}>{texts.erase}</Button>
      </div>
      {(open === 'json' || open === 'html') && (
        <ReasonDialog
          title={texts.exportTitle}
          text={texts.exportText}
          submit={texts.exportSubmit}
          suggestions={texts.reasons}
          run={async reason => {
            await exportData(record.ref, open, reason);
            void notify(texts.exported, 'done');
          }}
          onClose={close}
        />
      )}
      {open === 'erase' && <Erase record={record} onClose={close} />}
    </section>
  );
}

function Erase({ record, onClose }: { record: NumberRecord; onClose: () => void }) {
  const preview = useQuery(previewQuery(record.ref));
  const obstacles = preview.data?.state
    ? [preview.data.state === 'waiting' ? texts.waiting : texts.open]
    : preview.data?.obstacles;
  if (!obstacles || obstacles.length > 0)
    return (
      <Dialog title={obstacles ? texts.obstaclesTitle : texts.eraseTitle} onClose={onClose}>
        <div className="stack">
          {obstacles ? (
            <ul className="obstacles">
              {obstacles.map(obstacle => (
                <li key={obstacle}>{obstacle}</li>
              ))}
            </ul>
          ) : (
            <Loaded query={preview} what={texts.preview} />
          )}
          <div className="dialog-actions">
            <Button onClick={onClose}>{common.common.close}</Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <ReasonDialog
      title={texts.eraseTitle}
      text={
        <>
          <p>{texts.eraseText}</p>
          <KeptRows kept={preview.data?.kept ?? []} />
        </>
      }
      submit={texts.eraseSubmit}
      danger
      suggestions={texts.reasons}
      run={async reason => {
        const { state } = await requestErasure(record.ref, reason);
        void notify(state === 'open' ? texts.open : texts.waits, 'done');
        void client.invalidateQueries(previewQuery(record.ref));
      }}
      onClose={onClose}
    />
  );
}

function KeptRows({ kept }: { kept: Kept[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll it.
    <ul className="kept" tabIndex={0} aria-label={texts.stays}>
      {kept.map(({ what, rows, until, why }) => (
        <li key={what}>
          <p className="strong">
            {what}
            {rows !== null && ` (${rows})`}
          </p>
          <p className="small">
            {texts.kept({ until })} {why}
          </p>
        </li>
      ))}
    </ul>
  );
}
