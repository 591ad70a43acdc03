/** Asks a visitor who cannot like yet to join, or to prove to be the subscriber that the page believes in. */
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { brand } from '../brand';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import { HeartIcon } from './icons';
import { PriceLine } from './PriceLine';
import { ConfirmButton } from './VisitorBar';
import './join-offer.css';

export function JoinOffer({ onClose }: { onClose: () => void }) {
  const { active } = useVisitor();
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: only then the browser gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    // Old browsers know no dialogs: there it stands in the page.
    if (!shown || !('showModal' in shown)) return;
    shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog ref={dialog} className="join-offer" aria-labelledby="join-offer" onClose={onClose}>
      <HeartIcon />
      <h2 id="join-offer">{active ? "Confirm it's you to like" : `Join ${brand().name} to like`}</h2>
      {active ? (
        <ConfirmButton />
      ) : (
        <>
          <PriceLine />
          <Link className="button" to={paths.join()}>
            JOIN
          </Link>
        </>
      )}
      <button type="button" className="button button-quiet" onClick={onClose}>
        Not now
      </button>
    </dialog>
  );
}
