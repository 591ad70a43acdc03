/**
 * Chooses a picture for a record: from this computer, or the one that the record has. It is cropped to the frame of a card here in the browser, and
 * uploaded as a file of its own; the original stays as it is.
 */

import { useEffect, useId, useRef, useState } from 'react';
import type { Picture } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { FileDrop } from '../ui/FileDrop';
import { FormFault } from '../ui/fields';
import { Loaded } from '../ui/States';
import { words } from '../words';
import { picturesQuery, uploadedPicture, uploadPicture } from './api';
import { Cropping } from './Cropping';
import { cropped, drawFrame, openPicture, type Source } from './crop';
import { type Area, neededBy, storedSize } from './geometry';
import { type Use, usesOf } from './uses';
import '../uploads/uploads.css';
import './pictures.css';

const texts = words.pictures;

/** What sites show. */
const FORMATS = 'image/jpeg,image/png,image/webp';

type Props = {
  kind: string;
  service: string;
  /** The address that the record has; else empty. */
  value: string;
  onChoose: (address: string) => void;
  onClose: () => void;
};

export default function PictureDialog({ kind, service, value, onChoose, onClose }: Props) {
  const known = useQuery(picturesQuery);
  const [source, setSource] = useState<Source>();
  useEffect(
    () => () => {
      if (source) URL.revokeObjectURL(source.address);
    },
    [source],
  );
  const done = (address: string) => {
    onChoose(address);
    onClose();
  };
  return (
    <Dialog title={texts.title} wide={source !== undefined} onClose={onClose}>
      <Loaded query={known}>
        {({ pictures }) =>
          pictures === null ? (
            <p className="hint">{texts.impossible}</p>
          ) : source ? (
            <Crop
              kind={kind}
              service={service}
              source={source}
              done={done}
              again={() => setSource(undefined)}
            />
          ) : (
            <Choice present={value.startsWith(`${pictures}/`) ? value : ''} onOpen={setSource} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Choice({ present, onOpen }: { present: string; onOpen: (source: Source) => void }) {
  const opening = useMutation({
    mutationFn: async (file: File | null) => {
      if (file) return openPicture(file, file.name, file);
      const name = present.split('/').at(-2) ?? '';
      return openPicture(await uploadedPicture(present), name, null);
    },
    onSuccess: onOpen,
  });
  return (
    <div className="stack">
      <FileDrop texts={texts} accept={FORMATS} onFiles={([file]) => file && opening.mutate(file)} />
      {present !== '' && (
        <div className="actions">
          <Button disabled={opening.isPending} onClick={() => opening.mutate(null)}>
            {texts.present}
          </Button>
        </div>
      )}
      <FormFault>{opening.isError && texts.unreadable}</FormFault>
    </div>
  );
}

type CropProps = {
  kind: string;
  service: string;
  source: Source;
  done: (address: string) => void;
  again: () => void;
};

function Crop({ kind, service, source, done, again }: CropProps) {
  const uses = usesOf(kind);
  const [chosen, setChosen] = useState(uses[0]);
  const [area, setArea] = useState<Area>();
  const [sent, setSent] = useState(0);
  const { image, file } = source;
  const choose = (use: Use) => {
    setArea(undefined);
    setChosen(use);
  };
  const sending = useMutation({
    mutationFn: async (picture: () => Promise<File> | File) => {
      setSent(0);
      return uploadPicture(await picture(), service, setSent);
    },
  });
  // Not an option of the mutation: nothing is filled in where the dialog was closed meanwhile.
  const onSuccess = ({ image: address, width, height }: Picture) => {
    void notify(texts.done({ width, height }), 'done');
    done(address);
  };
  const size = area && chosen && storedSize(area, chosen, uses);
  const needed = chosen && neededBy(chosen, uses);
  return (
    <div className="stack">
      {chosen && (
        <>
          <p className="muted">{kind === 'meme' ? texts.memeHint : texts.hint}</p>
          {uses.length > 1 && <Frames uses={uses} chosen={chosen} choose={choose} />}
          <Cropping key={chosen.name} address={source.address} use={chosen} onChange={setArea} />
          <div className="picture-previews">
            {area && uses.map(each => <Preview key={each.name} image={image} area={area} use={each} />)}
          </div>
          {size && (
            <p className="muted small" role="status">
              {texts.size({ width: size.width, height: size.height })}
            </p>
          )}
          {area && needed && area.width < needed.width && (
            <p className="notice" role="status">
              {texts.small({
                width: Math.round(area.width),
                height: Math.round(area.height),
                neededWidth: needed.width,
                neededHeight: needed.height,
              })}
            </p>
          )}
        </>
      )}
      {sending.isPending && (
        <progress className="picture-progress" aria-label={texts.sending} value={sent} max={1} />
      )}
      <FormFault>{sending.error && messageOf(sending.error, words.common.failed)}</FormFault>
      <div className="dialog-actions">
        <Button disabled={sending.isPending} onClick={again}>
          {texts.again}
        </Button>
        {file && (
          <Button disabled={sending.isPending} onClick={() => sending.mutate(() => file, { onSuccess })}>
            {texts.asItIs}
          </Button>
        )}
        {area && size && (
          <Button
            tone="primary"
            disabled={sending.isPending}
            onClick={() => sending.mutate(() => cropped(source, area, size), { onSuccess })}
          >
            {texts.crop}
          </Button>
        )}
      </div>
    </div>
  );
}

function Frames({ uses, chosen, choose }: { uses: readonly Use[]; chosen: Use; choose: (use: Use) => void }) {
  const group = useId();
  return (
    <fieldset className="field">
      <legend>{texts.frame}</legend>
      <div className="picture-frames">
        {uses.map(each => (
          <label key={each.name} className="picture-frame">
            <input
              type="radio"
              name={group}
              checked={each.name === chosen.name}
              onChange={() => choose(each)}
            />
            <span>{texts.frames[each.name]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What a card shows of the crop, at once. */
function Preview({ image, area, use }: { image: HTMLImageElement; area: Area; use: Use }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawFrame(image, area, use, canvas.current);
  }, [image, area, use]);
  return (
    <figure className="picture-preview">
      <canvas ref={canvas} role="img" aria-label={texts.frames[use.name]} data-round={use.round} />
      <figcaption className="small">{texts.frames[use.name]}</figcaption>
    </figure>
  );
}
