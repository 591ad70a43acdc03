/** The list of languages. Each name is in its own language, for visitors who cannot read the page. */
import { t } from '../messages';
import { NoScriptLanguages } from './NoScriptLanguages';
import './language-switch.css';
import { Plain } from './Plain';

type Props = {
  /** Whether browsers without scripts have their list here, too. */
  withoutScripts?: boolean;
};

export function LanguageSwitch({ withoutScripts = true }: Props) {
  return (
    <>
      <select
        className="language-list"
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
      {withoutScripts && <Plain>{SERVER_RENDERING && <NoScriptLanguages />}</Plain>}
    </>
  );
}
