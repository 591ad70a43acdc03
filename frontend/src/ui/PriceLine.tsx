import { Link } from 'react-router';
import { brand, rand } from '../brand';
import { paths } from '../paths';

/** What joining costs, for whom it is and how it ends: stands beside every way in. */
export function PriceLine() {
  return (
    <p className="price-line">
      <strong>{rand(brand().price_cents)}/day</strong> · 18+ ·{' '}
      <Link to={paths.subscription()}>how to stop</Link>
    </p>
  );
}
