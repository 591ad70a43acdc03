/** The page that a visitor wants, to come back to after joining or confirming the number. The gateway and the service accept only paths of the site. */
import { useLocation } from 'react-router';
import { getSessionItem, setSessionItem } from '../shared/session-storage';
import { brand } from './brand';

type Address = { pathname: string; search: string };

/** A number in the address of a video, which no stored page may have. */
const NUMBER = /\/\+?\d{9,}$/;
/** The flag of a visitor without a subscription: the page is wanted for a subscriber. */
const FLAG = /^(\/memeCategory\/)0(?=\/)|^(\/(?:allvideos|artistvideos)\/[^/]+\/[^/]+\/)0$/;
/** What a page shows, unlike the parameters about the visitor. */
const SHOWN = ['meme', 'after'];

/** The path of an address; empty where it is a home or a form to join, which need no way back. */
export function wantedPage({ pathname, search }: Address): string {
  if ([brand().home, brand().join, '/', '/join', '/subscription'].includes(pathname)) return '';
  const query = new URLSearchParams(search);
  const shown = SHOWN.flatMap(name => (query.has(name) ? `${name}=${query.get(name)}` : []));
  const path = pathname.replace(NUMBER, '').replace(FLAG, '$1$21');
  return shown.length ? `${path}?${shown.join('&')}` : path;
}

export const useWantedPage = (): string => wantedPage(useLocation());

/** Keeps a page in the tab: the number was active already, and the next step is to confirm it. */
export const rememberWanted = (page: string): void => setSessionItem('wanted', page);

export const rememberedPage = (): string => getSessionItem('wanted');
