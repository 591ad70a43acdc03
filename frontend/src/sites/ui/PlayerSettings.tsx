/** The menu behind the gear below a film's title: captions, quality, picture in picture. */

import { type ReactNode, useId, useRef, useState } from 'react';
import { decimal, t } from '../messages';
import { useClosing } from './closing';
import { GearIcon } from './icons';
import { QUALITIES, type Quality } from './quality';

type SettingsProps = { onOpen: () => void; children: ReactNode };

export function PlayerSettings({ onOpen, children }: SettingsProps) {
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
        onClick={() => {
          if (!open) onOpen();
          setOpen(!open);
        }}
      >
        <GearIcon />
      </button>
      <div id={id} className="player-settings-list" hidden={!open}>
        {children}
      </div>
    </div>
  );
}

/** "Sound only (1.4 MB)" */
export const soundAlone = (bytes: number): string =>
  t('sound-alone', { size: `${decimal(Math.max(0.1, bytes / 1e6), 1)} MB` });

/** A quality, or the sound without the picture. */
export type Choice = Quality | 'sound';

type ChoiceProps = {
  choice: Choice;
  /** The size of the sound alone; 0: there is none. */
  soundBytes: number;
  onChoose: (choice: Choice) => void;
};

export function QualityChoice({ choice, soundBytes, onChoose }: ChoiceProps) {
  const choices: [Choice, string][] = QUALITIES.map(([name, label]) => [name, t(label)]);
  if (soundBytes > 0) choices.push(['sound', soundAlone(soundBytes)]);
  return (
    <label className="player-quality">
      {t('quality')}
      <select
        className="field"
        value={choice}
        onChange={({ target }) => onChoose(choices.find(([name]) => name === target.value)?.[0] ?? 'auto')}
      >
        {choices.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
