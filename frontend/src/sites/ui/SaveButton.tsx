/** The button that saves a film for watching without data. What it opens is loaded with the first tap. */
import { useId, useRef, useState } from 'react';
import { notify } from '../../shared/ui/notify';
import { t } from '../messages';
import { useClosing } from './closing';
import { CheckIcon, SaveIcon } from './icons';
import type { Film } from './resume';
import { isSaved } from './saved-list';

/** `queryKey`: of the reply that its page shows. */
export type Saving = {
  source: string;
  film: Film;
  captions: string | undefined;
  queryKey: readonly unknown[];
};
/** `row`: the next films, which can be saved with it. */
export type SaveProps = Omit<Saving, 'queryKey'> & { row: Saving[] };

const loadPanel = () => import(/* webpackChunkName: "saved" */ '../saved/SavePanel');
type Panel = Awaited<ReturnType<typeof loadPanel>>;

export function SaveButton(props: SaveProps) {
  const [open, setOpen] = useState(false);
  const [panel, setPanel] = useState<Panel>();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useClosing(box, open, setOpen);
  return (
    <div ref={box}>
      <button
        type="button"
        className="icon-button"
        aria-label={t('save-film')}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpen(!open);
          loadPanel().then(setPanel, () => notify(t('load-dropped')));
        }}
      >
        {isSaved(props.source) ? <CheckIcon /> : <SaveIcon />}
      </button>
      <div id={id} className="player-settings-list" hidden={!open || !panel}>
        {open && panel && <panel.SavePanel {...props} />}
      </div>
    </div>
  );
}
