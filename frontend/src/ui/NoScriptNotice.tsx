/** The result of the last action for browsers without scripts, from the query of the address. */

import { useLocation } from 'react-router';
import { t } from '../messages';

export function NoScriptNotice() {
  if (!new URLSearchParams(useLocation().search).has('failed')) return null;
  return (
    <p className="plain-news" role="alert">
      {t('failed-removal')}
    </p>
  );
}
