/** The mobile data used by videos this month on this phone, and the cap. */
import { useEffect, useReducer } from 'react';
import { brand } from '../../brand';
import { CAPS, megabytes } from '../../ui/data-caps';
import { onMeterChange, readMeter, updateMeter } from '../../ui/data-meter';
import { DetailsList } from './SubscriptionDetails';

const MB = 1e6;
const toMegabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

export function DataUse() {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onMeterChange(rerender), []);
  const { bytes, cap } = readMeter();
  // Meme brands have no videos.
  if (brand().kind === 'meme') return null;
  return (
    <section id="data" className="panel panel-quiet">
      <h2>Data on this phone</h2>
      <DetailsList rows={[['Videos this month', toMegabytes(bytes)]]} />
      <label className="field-label" htmlFor="data-cap">
        Stop playing at
      </label>
      <select
        id="data-cap"
        className="field"
        value={cap}
        onChange={({ target }) => updateMeter(() => ({ cap: Number(target.value), watchOn: false }))}
      >
        {CAPS.map(each => (
          <option key={each} value={each}>
            {each ? `${megabytes(each)} a month` : 'No limit'}
          </option>
        ))}
      </select>
      {cap > 0 && (
        <p className="leave-note">
          {bytes < cap * MB
            ? `${toMegabytes(cap * MB - bytes)} left this month. Then videos stop, and ask before they go on.`
            : 'The limit is reached. Until next month, videos ask before they play.'}
        </p>
      )}
    </section>
  );
}
