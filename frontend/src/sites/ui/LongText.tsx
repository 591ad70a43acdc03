/** A text that folds where it is long. */
import { t } from '../messages';

/** Characters: about four lines of a phone. */
const LONG = 180;

export function LongText({ text }: { text: string }) {
  if (text.length <= LONG + 40) return <p>{text}</p>;
  const cut = text.lastIndexOf(' ', LONG);
  const at = cut > 0 ? cut : LONG;
  return (
    <details className="long-text">
      <summary>
        {text.slice(0, at)}
        <b>… {t('more')}</b>
      </summary>
      {text.slice(at)}
    </details>
  );
}
