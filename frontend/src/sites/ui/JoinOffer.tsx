/** A dialog for visitors who cannot like yet: to join, or to confirm their number if the address says that they are subscribed. */

import { Link } from 'react-router';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import { useWantedPage } from '../wanted';
import { HeartIcon } from './icons';
import { useModal } from './modal';
import { PriceLine } from './PriceLine';
import { ConfirmButton } from './VisitorBar';
import './join-offer.css';

export function JoinOffer({ onClose }: { onClose: () => void }) {
  const { active } = useVisitor();
  const wanted = useWantedPage();
  const { dialog, close } = useModal(onClose);
  return (
    <dialog ref={dialog} className="join-offer" aria-labelledby="join-offer">
      <HeartIcon />
      <h2 id="join-offer">{active ? t('confirm-to-like') : t('join-to-like', { name: brand().name })}</h2>
      {active ? (
        <>
          <p>{t('network-asks')}</p>
          <ConfirmButton />
        </>
      ) : (
        <>
          <PriceLine />
          <Link className="button" to={paths.join(wanted)}>
            {t('JOIN')}
          </Link>
        </>
      )}
      <button type="button" className="button button-quiet" onClick={close}>
        {t('not-now')}
      </button>
    </dialog>
  );
}
