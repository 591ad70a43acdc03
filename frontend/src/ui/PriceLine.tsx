import { Link } from 'react-router';
import { brand, rand } from '../brand';
import { paths } from '../paths';

/** Price, age limit and how to stop: shown beside every button to join. */
export function PriceLine() {
  return (
    <p className="price-line">
      <strong>{rand(brand().price_cents)}/day</strong> · 18+ ·{' '}
      <Link to={paths.subscription()}>how to stop</Link>
    </p>
  );
}
