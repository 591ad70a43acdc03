/** One meme, as large as the screen allows. */
import { useEffect, useRef } from 'react';
import type { Meme } from '../../api/types';
import { CrossIcon, ShareIcon } from '../../ui/icons';
import { Picture } from '../../ui/Picture';
import { shareMeme } from './share-meme';

export function MemeViewer({ meme, onClose }: { meme: Meme; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    // Old browsers know no dialogs: there it stands in the page.
    if (!shown || !('showModal' in shown)) return;
    shown.showModal();
    return () => shown.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes on Escape by itself; the click is for the backdrop
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={meme.title}
      onClose={onClose}
      onClick={event => event.target === dialog.current && onClose()}
    >
      <div className="viewer-box">
        <Picture src={meme.image} alt={meme.title} width={640} height={800} sizes="92vw" max={960} eager />
        <div className="viewer-foot">
          <h2>{meme.title}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label={`Share ${meme.title}`}
            onClick={() => shareMeme(meme)}
          >
            <ShareIcon />
          </button>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <CrossIcon />
          </button>
        </div>
      </div>
    </dialog>
  );
}
