/** A text that folds where it is long. */
import { t } from '../messages';

/** Characters: about four lines of a phone. */
const LONG = 180;

/** `lang`: as of `langOf`. */
export function LongText({ text, lang }: { text: string; lang?: string | undefined }) {
  if (text.length <= LONG + 40) return <p lang={lang}>{text}</p>;
  const cut = text.lastIndexOf(' ', LONG);
  const at = cut > 0 ? cut : LONG;
  return (
    <details className="long-text">
      <summary>
        <span lang={lang}>{text.slice(0, at)}</span>
        <b>… {t('more')}</b>
      </summary>
      <span lang={lang}>{text.slice(at)}</span>
    </details>
  );
}
