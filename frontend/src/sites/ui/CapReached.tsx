/** The overlay of a film that was stopped by the visitor's data cap. */

import { Link } from 'react-router';
import { t } from '../messages';
import { paths } from '../paths';
import { megabytes } from './data-caps';
import { readMeter, updateMeter } from './data-meter';
import './player-offer.css';

export function CapReached() {
  return (
    <section className="player-offer" aria-labelledby="cap-reached">
      <div className="player-offer-words" role="status">
        <h2 id="cap-reached">{t('cap-reached', { cap: megabytes(readMeter().cap) })}</h2>
        <p>{t('cap-why')}</p>
      </div>
      <div className="player-offer-choices">
        <button type="button" className="button" onClick={() => updateMeter(() => ({ watchOn: true }))}>
          {t('watch-on')}
        </button>
        <Link className="button button-quiet" to={paths.subscription()}>
          {t('change-limit')}
        </Link>
      </div>
    </section>
  );
}
