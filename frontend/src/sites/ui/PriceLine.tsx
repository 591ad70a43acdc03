import { Link } from 'react-router';
import { brand, type Offer, priceFor, termsOf } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';

/** The date of the first charge and smaller amounts, where an offer has them. */
export function OfferTerms({ offer }: { offer: Offer }) {
  const terms = termsOf(offer);
  // A page that was rendered before midnight names an earlier day than the browser would.
  return terms && <span className="offer-terms" suppressHydrationWarning>{` ${terms}`}</span>;
}

/** Price, age limit and how to stop: shown beside every button to join. */
export function PriceLine({ offer = brand() }: { offer?: Offer }) {
  return (
    <p className="price-line">
      <strong>{priceFor(offer)}</strong> · 18+ · <Link to={paths.subscription()}>{t('how-to-stop')}</Link>
      <OfferTerms offer={offer} />
    </p>
  );
}
