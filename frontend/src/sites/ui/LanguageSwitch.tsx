/** The list of languages. Each name is in its own language, for visitors who cannot read the page. */
import { useLocation } from 'react-router';
import { t } from '../messages';
import { forms } from '../paths';
import './language-switch.css';
import { Plain } from './Plain';

export function LanguageSwitch() {
  return (
    <form className="language-form" method="post" action={forms.language}>
      <select
        className="language-list"
        name="language"
        aria-label={t('language')}
        // Before hydration the visitor may have chosen another one: src/language.ts listens.
        defaultValue={t('lang')}
      >
        {LANGUAGES.map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <Plain>{SERVER_RENDERING && <SubmitLanguage />}</Plain>
    </form>
  );
}

/** What of the address the page after the choice needs. Not the number: pages do not contain it. */
const KEPT = ['service', 'q', 'after', 'ext_ref'];

/** Without scripts the gateway sets the cookie, and shows the page again. */
function SubmitLanguage() {
  const { pathname, search } = useLocation();
  const before = new URLSearchParams(search);
  const query = KEPT.flatMap(name => {
    const value = before.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  }).join('&');
  return (
    <>
      <input type="hidden" name="back" value={query ? `${pathname}?${query}` : pathname} />
      <button type="submit" className="button button-quiet">
        {t('ok')}
      </button>
    </>
  );
}
