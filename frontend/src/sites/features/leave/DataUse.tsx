/** The mobile data used by videos this month on this phone, and the cap. */

import { useEffect, useReducer } from 'react';
import { brand } from '../../brand';
import { decimal, t } from '../../messages';
import { CAPS, megabytes } from '../../ui/data-caps';
import { onMeterChange, readMeter, updateMeter } from '../../ui/data-meter';
import { DetailsList } from './SubscriptionDetails';

const MB = 1e6;
const toMegabytes = (bytes: number): string => `${decimal(bytes / MB, 1)} MB`;

export function DataUse() {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onMeterChange(rerender), []);
  const { bytes, cap, saved = 0, fromSaved = 0 } = readMeter();
  const rows: [string, string][] = [[t('data-month'), toMegabytes(bytes)]];
  if (saved + fromSaved > 0)
    rows.push([t('data-saved'), toMegabytes(saved)], [t('data-from-saved'), toMegabytes(fromSaved)]);
  // Meme brands have no videos.
  if (brand().kind === 'meme') return null;
  return (
    <section id="data" className="panel panel-quiet">
      <h2>{t('data-heading')}</h2>
      <DetailsList rows={rows} />
      <label className="field-label" htmlFor="data-cap">
        {t('data-stop-at')}
      </label>
      <select
        id="data-cap"
        className="field"
        value={cap}
        onChange={({ target }) => updateMeter(() => ({ cap: Number(target.value), watchOn: false }))}
      >
        {CAPS.map(each => (
          <option key={each} value={each}>
            {each ? t('data-cap', { cap: megabytes(each) }) : t('data-no-cap')}
          </option>
        ))}
      </select>
      {cap > 0 && (
        <p className="leave-note">
          {bytes < cap * MB ? t('data-left', { amount: toMegabytes(cap * MB - bytes) }) : t('data-reached')}
        </p>
      )}
    </section>
  );
}
