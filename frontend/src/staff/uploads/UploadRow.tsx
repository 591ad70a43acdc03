/** An upload: how far it is, what can be done with it, and once it is ready its poster. */

import { type ReactNode, useId, useState } from 'react';
import type { Upload, UploadState } from '../../shared/contract/staff';
import { useMutation } from '../../shared/http/queries';
import { dateTime } from '../format';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { notifyFailure } from '../ui/failure';
import { words } from '../words';
import { choosePoster, readUploadsAgain, stillAddress } from './api';
import { lengthText, remainingText, sizeText } from './figures';
import { end, goOn, isSame, pause, type Sending, send } from './sending';

const texts = words.uploads;

const BADGES: Record<UploadState, string> = {
  uploading: '',
  waiting: 'warm',
  transcoding: 'warm',
  checking: 'warm',
  ready: 'good',
  failed: 'bad',
};

/** Of what is on its way and what the server has, at least one. */
type Props = { sending: Sending | undefined; upload: Upload | undefined; children?: ReactNode };

export function UploadRow({ sending, upload, children }: Props) {
  const state =
    sending && (!upload || upload.state === 'uploading') ? 'uploading' : (upload?.state ?? 'uploading');
  const name = upload?.name ?? sending?.name ?? '';
  const stopped = upload !== undefined && state === 'uploading' && !sending;
  const endable = state !== 'checking';
  return (
    <li className="upload panel stack" aria-label={name}>
      <div className="upload-head">
        <span className="strong upload-name">{name}</span>
        <span className={`badge ${stopped ? 'warm' : BADGES[state]}`}>
          {stopped || sending?.paused ? texts.stopped : texts.states[state]}
        </span>
      </div>
      <p className="muted small">
        {[
          upload?.service ?? sending?.service,
          upload?.by,
          upload && dateTime(upload.at),
          upload?.film && lengthText(upload.film.duration_s),
          upload?.film && sizeText(upload.film.bytes),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {state === 'uploading' && <Arriving name={name} sending={sending} upload={upload} />}
      {upload && state === 'transcoding' && (
        <Bar
          label={texts.transcodingOf({ name })}
          value={upload.percent}
          most={100}
          text={texts.percent({ percent: upload.percent })}
        />
      )}
      {upload && upload.reason !== '' && (
        <p className={state === 'failed' ? 'fault' : 'hint'}>{upload.reason}</p>
      )}
      {upload?.film && <Posters upload={upload} chosen={upload.film.still} />}
      {upload && upload.log !== '' && (
        <details>
          <summary>{texts.log}</summary>
          <pre className="upload-log">{upload.log}</pre>
        </details>
      )}
      <div className="actions">
        {children}
        {sending && <PauseButton sending={sending} name={name} />}
        {stopped && upload.mine && <GoOn upload={upload} />}
        {endable && <EndButton name={name} sending={sending} upload={upload} />}
      </div>
    </li>
  );
}

function Bar({ label, value, most, text }: { label: string; value: number; most: number; text: string }) {
  return (
    <div className="upload-bar">
      <progress aria-label={label} value={value} max={most} />
      <span className="small">{text}</span>
    </div>
  );
}

function Arriving({ name, sending, upload }: Omit<Props, 'children'> & { name: string }) {
  const size = upload?.size ?? sending?.size ?? 0;
  const sent = Math.max(sending?.sent ?? 0, upload?.offset ?? 0);
  const speed = sending?.speed ?? 0;
  const parts = [
    texts.sentOf({ sent: sizeText(sent), size: sizeText(size) }),
    speed > 0 && texts.speed({ size: sizeText(speed) }),
    remainingText(size - sent, speed),
  ];
  return (
    <>
      <Bar
        label={texts.uploadOf({ name })}
        value={sent}
        most={size}
        text={parts.filter(Boolean).join(' · ')}
      />
      {sending && sending.fault !== '' && (
        <p className="fault" role="alert">
          {sending.fault}
        </p>
      )}
      {!sending && upload?.mine && (
        <p className="hint">{texts.chooseAgain({ name, until: dateTime(upload.expires_at) })}</p>
      )}
    </>
  );
}

function PauseButton({ sending: { key, paused }, name }: { sending: Sending; name: string }) {
  return (
    <Button
      aria-label={paused ? texts.goOnWith({ name }) : texts.pauseOf({ name })}
      onClick={() => (paused ? goOn(key) : void pause(key))}
    >
      {paused ? texts.goOn : texts.pause}
    </Button>
  );
}

/** The same file, chosen again. */
function GoOn({ upload }: { upload: Upload }) {
  const [fault, setFault] = useState('');
  const choose = (file: File | undefined) => {
    if (!file) return;
    const same = isSame(file, upload);
    setFault(same ? '' : texts.otherFile({ name: upload.name, size: sizeText(upload.size) }));
    if (same) void send(file, upload.service, upload).catch(notifyFailure);
  };
  return (
    <>
      <label className="button file-button">
        {texts.chooseSame}
        <input
          type="file"
          className="sr"
          aria-label={texts.chooseSameOf({ name: upload.name })}
          onChange={({ target }) => {
            choose(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

const endText = (state: UploadState | undefined): string =>
  state === 'ready' ? texts.endReady : state === 'transcoding' ? texts.endTranscoding : texts.endText;

function EndButton({ name, sending, upload }: Omit<Props, 'children'> & { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button tone="quiet" aria-label={texts.endOf({ name })} onClick={() => setOpen(true)}>
        {texts.end}
      </Button>
      {open && (
        <ConfirmDialog
          title={texts.endTitle({ name })}
          text={endText(upload?.state)}
          submit={texts.end}
          run={() => end(upload?.id ?? sending?.id ?? null, sending?.key)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Posters({ upload, chosen }: { upload: Upload; chosen: number }) {
  const group = useId();
  const choosing = useMutation({
    mutationFn: (still: number) => choosePoster(upload.id, still),
    onSuccess: readUploadsAgain,
    onError: notifyFailure,
  });
  const marked = choosing.isPending ? choosing.variables : chosen;
  return (
    <fieldset className="field">
      <legend>{texts.poster}</legend>
      <div className="stills">
        {Array.from({ length: upload.stills }, (_, index) => index + 1).map(still => (
          <label key={still} className="still">
            <input
              type="radio"
              name={group}
              checked={still === marked}
              onChange={() => choosing.mutate(still)}
              aria-label={texts.still({ still })}
            />
            <img src={stillAddress(upload.id, still)} alt="" loading="lazy" />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
