/** Films on their way to a site, and the field for the next one. */

import { type ReactNode, useState } from 'react';
import type { Upload } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { FileDrop } from '../ui/FileDrop';
import { notifyFailure } from '../ui/failure';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { uploadsQuery } from './api';
import { send, useSending } from './sending';
import { UploadRow } from './UploadRow';
import './uploads.css';

const texts = words.uploads;

/** What a file chooser shows first; the server has the last word. */
const FILMS = 'video/*,.mkv,.mov,.avi,.mxf,.ts,.mpg';

/** So many are seen at a glance. */
const FEW = 3;

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
  const [text, setText] = useState('');
  const isShown = (each: { service: string; name: string }) =>
    (!only || each.service === service) && each.name.toLowerCase().includes(text.trim().toLowerCase());
  const sending = useSending().filter(isShown);
  if (!uploads.data) return <Loaded query={uploads} />;
  const listed = uploads.data.uploads.filter(isShown);
  const begun = sending.filter(({ id }) => !listed.some(upload => upload.id === id));
  return (
    <div className="stack">
      {uploads.data.possible ? (
        <FileDrop texts={texts} accept={FILMS} multiple onFiles={files => sendAll(files, service)} />
      ) : (
        <p className="hint">{texts.impossible}</p>
      )}
      {uploads.data.uploads.length > FEW && (
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={text}
          onChange={({ target }) => setText(target.value)}
          // In the form of a record it would send the record.
          onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {listed.length + begun.length === 0 ? (
        (!only || text) && <Empty title={text ? texts.notFound : texts.empty} />
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

function sendAll(files: File[], service: string): void {
  for (const file of files) void send(file, service).catch(notifyFailure);
}
