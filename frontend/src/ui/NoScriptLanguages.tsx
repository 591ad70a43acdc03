/** The list of languages for browsers without scripts: a button each. The gateway sets the cookie, and shows the page again. */
import { useLocation } from 'react-router';
import { t } from '../messages';
import { forms } from '../paths';

/** What of the address the page after the choice needs. Not the number: pages do not contain it. */
const KEPT = ['service', 'q', 'after', 'ext_ref'];

export function NoScriptLanguages() {
  const { pathname, search } = useLocation();
  const before = new URLSearchParams(search);
  const query = KEPT.flatMap(name => {
    const value = before.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  }).join('&');
  return (
    <form method="post" action={forms.language}>
      <input type="hidden" name="back" value={query ? `${pathname}?${query}` : pathname} />
      <details className="plain-languages">
        <summary>{t('language')}</summary>
        <p>
          {LANGUAGES.map(([code, name]) => (
            <button
              key={code}
              type="submit"
              name="language"
              value={code}
              className="button button-quiet"
              lang={code}
            >
              {name}
            </button>
          ))}
        </p>
      </details>
    </form>
  );
}
