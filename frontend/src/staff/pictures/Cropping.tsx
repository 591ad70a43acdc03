/** The only module that imports react-easy-crop: a picture that is moved and enlarged behind a box of a fixed ratio, by mouse, finger and keys. */
import { type RefObject, useRef, useState } from 'react';
import Cropper from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { words } from '../words';
import { type Area, type Point, type Size, within } from './geometry';
import type { Use } from './uses';

const texts = words.pictures;

const MAX_ZOOM = 5;
/** Pixels of the screen, for an arrow key and for a button. */
const KEY_STEP = 4;
const BUTTON_STEP = 16;
const NONE: Size = { width: 0, height: 0 };

/** As the arrow keys do, without a drag and without a keyboard. */
const MOVES = [
  { name: 'left', sign: '←', x: -1, y: 0 },
  { name: 'right', sign: '→', x: 1, y: 0 },
  { name: 'up', sign: '↑', x: 0, y: -1 },
  { name: 'down', sign: '↓', x: 0, y: 1 },
] as const;

type Props = { address: string; use: Use; onChange: (area: Area) => void };

export function Cropping({ address, use, onChange }: Props) {
  const [at, setAt] = useState<Point>({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [picture, setPicture] = useState(NONE);
  const [box, setBox] = useState(NONE);
  const frame = useRef<RefObject<HTMLDivElement | null>>(null);
  /** The arrow keys move the picture from the beginning. */
  const takeFocus = () => requestAnimationFrame(() => frame.current?.current?.focus());
  return (
    <div className="stack">
      <div className="cropping">
        <Cropper
          image={address}
          crop={at}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={use.width / use.height}
          cropShape={use.round ? 'round' : 'rect'}
          keyboardStep={KEY_STEP}
          onCropChange={setAt}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => onChange(pixels)}
          setMediaSize={setPicture}
          setCropSize={setBox}
          setCropperRef={ref => {
            frame.current = ref;
          }}
          onMediaLoaded={takeFocus}
          cropperProps={{ role: 'group', 'aria-label': texts.box }}
          mediaProps={{ alt: '' }}
          // The content security policy refuses styles that a script adds: the stylesheet is loaded with this module.
          disableAutomaticStylesInjection
        />
      </div>
      <div className="cropping-controls">
        <label className="cropping-zoom">
          <span>{texts.zoom}</span>
          <input
            type="range"
            min={1}
            max={MAX_ZOOM}
            step={0.05}
            value={zoom}
            onChange={({ target }) => setZoom(Number(target.value))}
          />
        </label>
        <fieldset className="cropping-moves">
          <legend className="sr">{texts.moves}</legend>
          {MOVES.map(({ name, sign, x, y }) => (
            <button
              key={name}
              type="button"
              className="button square"
              aria-label={texts.move[name]}
              onClick={() =>
                setAt(within({ x: at.x + x * BUTTON_STEP, y: at.y + y * BUTTON_STEP }, picture, zoom, box))
              }
            >
              <span aria-hidden="true">{sign}</span>
            </button>
          ))}
        </fieldset>
      </div>
    </div>
  );
}
