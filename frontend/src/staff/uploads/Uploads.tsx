/** Films on their way to a site, and the field for the next one. */

import { type DragEvent, type ReactNode, useState } from 'react';
import type { Upload } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { uploadsQuery } from './api';
import { send, useSending } from './sending';
import { UploadRow } from './UploadRow';
import './uploads.css';

const texts = words.uploads;

/** What a file chooser shows first; the server has the last word. */
const FILMS = 'video/*,.mkv,.mov,.avi,.mxf,.ts,.mpg';

type Props = {
  /** The site that the next film is for. */
  service: string;
  /** Only those of this site. */
  only?: boolean;
  /** What else can be done with an upload. */
  actions?: (upload: Upload) => ReactNode;
};

export function Uploads({ service, only = false, actions }: Props) {
  const uploads = useQuery(uploadsQuery);
  const sending = useSending().filter(each => !only || each.service === service);
  if (!uploads.data) return <Loaded query={uploads} />;
  const listed = uploads.data.uploads.filter(each => !only || each.service === service);
  const begun = sending.filter(({ id }) => !listed.some(upload => upload.id === id));
  return (
    <div className="stack">
      {uploads.data.possible ? <Chooser service={service} /> : <p className="hint">{texts.impossible}</p>}
      {listed.length + begun.length === 0 ? (
        !only && <Empty title={texts.empty} />
      ) : (
        <ul className="uploads" aria-label={texts.title}>
          {begun.map(each => (
            <UploadRow key={`sending ${each.key}`} sending={each} upload={undefined} />
          ))}
          {listed.map(upload => (
            <UploadRow key={upload.id} sending={sending.find(({ id }) => id === upload.id)} upload={upload}>
              {actions?.(upload)}
            </UploadRow>
          ))}
        </ul>
      )}
    </div>
  );
}

function Chooser({ service }: { service: string }) {
  const [over, setOver] = useState(false);
  const sendAll = (files: FileList | null) => {
    for (const file of files ?? [])
      void send(file, service).catch(error => notify(messageOf(error, words.common.failed)));
  };
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault();
    setOver(inside);
  };
  return (
    <label
      className="drop"
      data-over={over || undefined}
      onDragOver={event => drag(event, true)}
      onDragLeave={event => drag(event, false)}
      onDrop={event => {
        drag(event, false);
        sendAll(event.dataTransfer.files);
      }}
    >
      <input
        type="file"
        className="sr"
        accept={FILMS}
        multiple
        onChange={({ target }) => {
          sendAll(target.files);
          target.value = '';
        }}
      />
      <span className="strong">{texts.choose}</span>
      <span className="hint">{texts.chooseHint}</span>
    </label>
  );
}
