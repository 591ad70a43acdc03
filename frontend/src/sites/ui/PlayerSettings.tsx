/** The menu behind the gear below a film's title: captions, quality, picture in picture. */

import { type ReactNode, useId, useRef, useState } from 'react';
import { t } from '../messages';
import { useClosing } from './closing';
import { GearIcon } from './icons';
import { QUALITIES, type Quality } from './quality';

export function PlayerSettings({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useClosing(box, open, setOpen);
  return (
    <div ref={box}>
      <button
        type="button"
        className="icon-button"
        aria-label={t('video-settings')}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <GearIcon />
      </button>
      <div id={id} className="player-settings-list" hidden={!open}>
        {children}
      </div>
    </div>
  );
}

export function QualityChoice({
  quality,
  onChoose,
}: {
  quality: Quality;
  onChoose: (quality: Quality) => void;
}) {
  return (
    <label className="player-quality">
      {t('quality')}
      <select
        className="field"
        value={quality}
        onChange={({ target }) => onChoose(QUALITIES.find(([name]) => name === target.value)?.[0] ?? 'auto')}
      >
        {QUALITIES.map(([name, label]) => (
          <option key={name} value={name}>
            {t(label)}
          </option>
        ))}
      </select>
    </label>
  );
}
