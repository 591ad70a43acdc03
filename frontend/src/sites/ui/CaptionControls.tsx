/** Captions in a player: the track, and the button that shows or hides them. */
import { t } from '../messages';
import { languageOf, wantsCaptions } from './captions';
import { CaptionsIcon } from './icons';
import './marks.css';

/** `source`: where it is read from. */
export function CaptionsTrack({ address, source = address }: { address: string; source?: string }) {
  const { code, name } = languageOf(address);
  return (
    <track
      kind="captions"
      src={source}
      srcLang={code}
      label={name}
      default={wantsCaptions()}
      onError={() => console.info('Captions unreachable', address)}
    />
  );
}

export function CaptionsButton({ shown, onClick }: { shown: boolean; onClick: () => void }) {
  return (
    <button type="button" className="mark" aria-pressed={shown} onClick={onClick}>
      <CaptionsIcon />
      {t('captions')}
    </button>
  );
}
