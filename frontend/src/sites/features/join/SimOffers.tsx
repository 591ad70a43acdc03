/**
 * Joining without typing: a link for each network that tells the number of this phone's SIM. It needs no script, unless joins without a
 * challenge are held: the form then says that the number has to be typed.
 */
import type { MouseEventHandler } from 'react';
import { useLocation } from 'react-router';
import { brand, priceFor } from '../../brand';
import { type MessageId, t } from '../../messages';
import { paths } from '../../paths';
import { OfferTerms } from '../../ui/PriceLine';

const PROBLEMS = new Map<string, MessageId>([
  ['held', 'sim-held'],
  ['unknown', 'sim-unknown'],
  ['failed', 'sim-failed'],
]);

type Props = {
  extRef: string;
  /** The page that was wanted. */
  page: string;
  /** Goes to a link's address, with the page's challenge. */
  follow: MouseEventHandler<HTMLAnchorElement>;
};

export function SimOffers({ extRef, page, follow }: Props) {
  return brand().by_sim?.map(offer => (
    <a
      key={offer.network}
      className="button button-quiet"
      href={paths.verifyNumber(offer.network, extRef, page)}
      rel="nofollow"
      onClick={follow}
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
