import { t } from '../messages';
import { ShareIcon } from './icons';
import { share } from './share';
import './marks.css';

type Props = { title: string; path: string };

/** Shares this page, by an address without a phone number. */
export function ShareButton({ title, path }: Props) {
  return (
    <button type="button" className="mark" onClick={() => share(title, path)}>
      <ShareIcon />
      {t('share')}
    </button>
  );
}
