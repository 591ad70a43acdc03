/** The picture and the film of a record: small in lists and differences, large beside its form, where a film plays before it is live. */

import { useState } from 'react';
import type { CatalogueKind } from '../../shared/contract/staff';
import { addressOf } from '../client';
import { useDebounced } from '../ui/debounced';
import type { Fields } from './types';
import { words } from './words';

const texts = words.record;

/** The value of the first field of this form; empty without one. */
function fieldOf({ fields }: CatalogueKind, record: Fields, form: string): string {
  const field = fields.find(each => each.form === form);
  return field ? String(record[field.name] ?? '') : '';
}

export const pictureOf = (kind: CatalogueKind, record: Fields): string => fieldOf(kind, record, 'Image');

const thumbnailAddress = (address: string): string => addressOf('GET /api/thumbnail', { query: { address } });
const filmAddress = (media: string): string => addressOf('GET /api/film', { query: { media } });

/** Beside text that says what it is; an empty frame where there is no such picture. */
export function Thumbnail({ address }: { address: string }) {
  const [failed, setFailed] = useState<string>();
  if (address === '' || failed === address) return <span className="thumbnail" />;
  return (
    <img
      className="thumbnail"
      src={thumbnailAddress(address)}
      alt=""
      loading="lazy"
      onError={() => setFailed(address)}
    />
  );
}

export function RecordMedia({ kind, record }: { kind: CatalogueKind; record: Fields }) {
  const [failed, setFailed] = useState<string>();
  const picture = useDebounced(pictureOf(kind, record));
  const media = useDebounced(fieldOf(kind, record, 'Media'));
  const captions = useDebounced(fieldOf(kind, record, 'Captions'));
  const shown = media || picture;
  if (shown === '') return null;
  if (failed === shown)
    return (
      <p className="fault" role="status">
        {media ? texts.noFilm : texts.noPicture}
      </p>
    );
  if (!media)
    return (
      <img
        className="record-media"
        src={thumbnailAddress(picture)}
        alt={texts.picture}
        onError={() => setFailed(shown)}
      />
    );
  return (
    <video
      key={`${media} ${captions}`}
      className="record-media"
      controls
      playsInline
      preload="metadata"
      aria-label={texts.film}
      src={filmAddress(media)}
      {...(picture && { poster: thumbnailAddress(picture) })}
      onError={() => setFailed(shown)}
    >
      {captions && <track kind="captions" src={filmAddress(captions)} label={texts.captions} default />}
    </video>
  );
}
