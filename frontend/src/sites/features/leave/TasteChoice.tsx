/** Whether the order follows the visitor's taste (taste.ts), and what clears it. */

import { useState } from 'react';
import { t } from '../../messages';
import { forgetTaste, hasLearned, isTasteOn, switchTaste } from '../../taste';

export function TasteChoice() {
  const [on, setOn] = useState(isTasteOn);
  const [learned, setLearned] = useState(hasLearned);
  return (
    <section id="taste" className="panel panel-quiet">
      <h2>{t('taste-heading')}</h2>
      <p>{t('taste-about')}</p>
      <label className="taste-switch">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => {
            switchTaste(target.checked);
            setOn(target.checked);
          }}
        />
        {t('taste-switch')}
      </label>
      <button
        type="button"
        className="button button-quiet"
        disabled={!learned}
        onClick={() => {
          forgetTaste();
          setLearned(false);
        }}
      >
        {t(learned ? 'taste-forget' : 'taste-nothing')}
      </button>
    </section>
  );
}
