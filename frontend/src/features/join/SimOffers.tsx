/** Joining without typing: a link for each network that tells the number of this phone's SIM. It needs no script. */
import { useLocation } from 'react-router';
import { brand, priceFor } from '../../brand';
import { type MessageId, t } from '../../messages';
import { paths } from '../../paths';
import { OfferTerms } from '../../ui/PriceLine';
import { rememberNetworkRequest } from '../../visitor';

const PROBLEMS = new Map<string, MessageId>([
  ['unknown', 'sim-unknown'],
  ['failed', 'sim-failed'],
]);

export function SimOffers({ extRef }: { extRef: string }) {
  return brand().by_sim?.map(offer => (
    <a
      key={offer.network}
      className="button button-quiet"
      href={paths.verifyNumber(offer.network, extRef)}
      rel="nofollow"
      onClick={() => rememberNetworkRequest('join')}
    >
      {t('use-sim-number')} · {offer.name} · {priceFor(offer)}
      <OfferTerms offer={offer} />
    </a>
  ));
}

/** Why the network did not tell the number, after such a link has led back to the form. */
export function useSimProblem(): string {
  const message = PROBLEMS.get(new URLSearchParams(useLocation().search).get('sim') ?? '');
  return message ? t(message) : '';
}
