/**
 * The return address from the operator: leads to the home page if the network confirmed this attempt, otherwise to the front page. At a network
 * without a page the visitor comes here at once (`reply=yes` or `reply=stop`), and reads to reply to an SMS.
 *
 * It is whole without scripts: an ordinary refresh goes on to `/forms/check`. A script that runs asks first, and every step to another page loads a
 * document, which ends the refresh. What the visitor reads there, the gateway has written.
 */

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { checkQuery } from './check';
import './join.css';

export const page: PageOf = () => ({ name: 'redirecting', forward: '/forms/check?{query}' });

/** Where our SMS does not arrive, the visitor sends one; only to a number of ours, whatever the address says. */
function howToReply(query: URLSearchParams, keyword: string): string {
  const code = /^\d{4}$/.exec(query.get('code') ?? '');
  const word = code ? `${keyword} ${code}` : keyword;
  const to = query.get('to');
  const isOurs = to && brand().stops.some(([, number]) => number === to);
  return isOurs ? t('send-sms', { word, to }) : t('reply-sms', { word });
}

export default function RedirectingPage() {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const msisdn = query.get('msisdn') ?? '';
  const reply = query.get('reply');
  const asks = reply !== 'stop';
  // Polls until there is an answer or the visitor leaves the page.
  const { data, error } = useQuery({
    ...checkQuery(msisdn, query.get('subscription_id') ?? ''),
    enabled: asks,
  });

  useEffect(() => {
    if (error) console.info('Subscription check failed', error);
    if (data?.result === 1) window.location.replace(paths.home(msisdn));
    // The number of an attempt that opened nothing may be another one than the session's.
    else if (data?.session) window.location.replace(paths.home(''));
    else if (error || (data && data.state !== 'waiting')) window.location.replace(paths.root());
  }, [data, error, msisdn]);

  useEffect(() => {
    document.title = brand().name;
  }, []);

  return (
    <main className="redirecting" aria-busy={asks}>
      {asks && <span className="spinner" />}
      <h1>{reply ? howToReply(query, asks ? 'YES' : 'STOP') : t('redirecting')}</h1>
      {asks && (
        <a className="button button-quiet" href={paths.check(search)}>
          {t('continue')}
        </a>
      )}
    </main>
  );
}
