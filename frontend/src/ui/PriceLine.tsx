import { Link } from 'react-router';
import { brand, priceFor } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';

/** Price, age limit and how to stop: shown beside every button to join. */
export function PriceLine() {
  return (
    <p className="price-line">
      <strong>{priceFor(brand())}</strong> · 18+ · <Link to={paths.subscription()}>{t('how-to-stop')}</Link>
    </p>
  );
}
