/** The overlay of a film that was stopped by the visitor's data cap. */
import { Link } from 'react-router';
import { paths } from '../paths';
import { megabytes } from './data-caps';
import { readMeter, updateMeter } from './data-meter';
import './player-offer.css';

export function CapReached() {
  return (
    <section className="player-offer" aria-labelledby="cap-reached">
      <div className="player-offer-words" role="status">
        <h2 id="cap-reached">Your {megabytes(readMeter().cap)} for this month are used</h2>
        <p>That is the limit you set for videos on this site.</p>
      </div>
      <div className="player-offer-choices">
        <button type="button" className="button" onClick={() => updateMeter(() => ({ watchOn: true }))}>
          Watch on anyway
        </button>
        <Link className="button button-quiet" to={paths.subscription()}>
          Change limit
        </Link>
      </div>
    </section>
  );
}
