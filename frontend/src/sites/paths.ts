/** Every address of the site as a function. Other modules contain no addresses. */
import { brand, shownOf } from './brand';
import { withDomain } from './host';

type Id = number | string;
export type Flag = '0' | '1';

const at = (strings: TemplateStringsArray, ...parts: Id[]): string =>
  withDomain(String.raw({ raw: strings }, ...parts.map(part => encodeURIComponent(part))));

/** A query of what has a value. */
const queryOf = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

export const paths = {
  root: () => withDomain('/'),
  /** `page`: what the visitor wants, to come back to. */
  join: (page = '') => withDomain(page ? `${brand().join}?page=${encodeURIComponent(page)}` : brand().join),
  /** The target of a join form that is sent before scripts have run, which may show the form again; GET returns the form. */
  joinForm: (extRef: string, page = '') => {
    const query = queryOf({ ext_ref: extRef, page });
    return withDomain(query ? `/join?${query}` : '/join');
  },
  /** The operator's opt-in page, through our own link: the return from it opens the session, and offers `page`. */
  optIn: (page: string) =>
    withDomain(`${brand().opt_in_url}&page=${encodeURIComponent(page)}&shown=${shownOf(brand())}`),
  /** Checks whether the network has confirmed an attempt, and leads on. `search`: the query of the return address. */
  check: (search: string) => withDomain(`/forms/check${search}`),
  /** Has the network tell the number of this phone's SIM, and goes on to its confirm page; else back to the form. */
  verifyNumber: (network: string, extRef: string, page = '') =>
    withDomain(`/api/subscribe/verify-number?${queryOf({ network, ext_ref: extRef, page })}`),
  /** The brand's home for an active subscriber. */
  home: (msisdn: string) =>
    withDomain(
      `${brand().home}?service=${encodeURIComponent(brand().service)}&msisdn=${encodeURIComponent(msisdn)}&result=active`,
    ),
  footballJoin: () => withDomain('/diskilogin'),

  allVideos: (artistId: Id, service: string, flag: Flag) => at`/allvideos/${artistId}/${service}/${flag}`,
  comedyVideo: (id: Id, service: string, mid: Id) => at`/video/${id}/${service}/${mid}`,
  artistVideos: (id: Id, service: string, count: Flag) => at`/artistvideos/${id}/${service}/${count}`,
  footballVideo: (id: Id, service: string, mid: Id) => at`/diskisingle/${id}/${service}/${mid}`,

  memeCategory: (count: Flag, id: Id, service: string) => at`/memeCategory/${count}/${id}/${service}`,
  /** One meme, open over its category. Without scripts the list begins with it. */
  meme: (category: Id, service: string, id: number) =>
    at`/memeCategory/1/${category}/${service}?after=${id - 1}&meme=${id}`,

  ttVideo: (id: Id, service: string) => at`/ttsingle/${id}/${service}`,
  ttCategory: (category: Id, service: string) => at`/ttcategory/${category}/${service}`,

  /** One video after another, full screen. */
  feed: () => withDomain('/feed'),
  /** All artists from A to Z. */
  artists: () => withDomain('/artists'),
  watchlist: () => withDomain('/watchlist'),
  /** The visitor's own page: what was begun, liked and kept, and the receipt of each day. */
  mine: () => withDomain('/mine'),

  /** The brand's own terms; brands without an entry share the general ones. */
  terms: () => withDomain(brand().copy.terms ?? '/terms'),
  subscription: () => withDomain('/subscription'),
  search: () => withDomain('/search'),
};

/** Targets of forms that work without scripts, in the gateway. */
export const forms = {
  verify: '/forms/verify',
  leave: '/forms/leave',
  mark: '/forms/mark',
  language: '/forms/language',
};
