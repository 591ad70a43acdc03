/** Films on their way to a site, and the field for the next one. */

import type { ReactNode } from 'react';
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
      {uploads.data.possible ? (
        <FileDrop texts={texts} accept={FILMS} multiple onFiles={files => sendAll(files, service)} />
      ) : (
        <p className="hint">{texts.impossible}</p>
      )}
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

function sendAll(files: File[], service: string): void {
  for (const file of files) void send(file, service).catch(notifyFailure);
}
