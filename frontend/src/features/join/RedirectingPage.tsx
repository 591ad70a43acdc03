/**
 * The return address from the operator: leads to the home page if the network confirmed this attempt, otherwise to the front page. At a network
 * without a page the visitor comes here at once (`reply=yes` or `reply=stop`), and reads to reply to an SMS.
 */

import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { brand } from '../../brand';
import { t } from '../../messages';
import { paths } from '../../paths';
import { sessionChanged } from '../../session';
import { UNCONFIRMED } from '../../ui/unconfirmed';
import { lastNetworkRequest } from '../../visitor';
import { checkSubscription } from './api';
import './join.css';

/** How often the page checks while its visitor replies to an SMS, and for how long. */
const CHECK_INTERVAL_MS = 4000;
const MAX_CHECKS = 150;

const pause = () => new Promise(resolve => setTimeout(resolve, CHECK_INTERVAL_MS));

export default function RedirectingPage() {
  const query = new URLSearchParams(useLocation().search);
  const navigate = useNavigate();
  const requested = useRef(false);
  const msisdn = query.get('msisdn') ?? '';
  const subscriptionId = query.get('subscription_id') ?? '';
  const reply = query.get('reply');

  useEffect(() => {
    // Only the first positive reply opens the session, so the effect must not call again.
    if (requested.current || reply === 'stop') return;
    requested.current = true;
    const decide = async () => {
      try {
        let { result } = await checkSubscription(msisdn, subscriptionId);
        for (let checks = 1; result !== 1 && reply === 'yes' && checks < MAX_CHECKS; checks++) {
          await pause();
          ({ result } = await checkSubscription(msisdn, subscriptionId));
        }
        if (result !== 1)
          return navigate(paths.root(), {
            replace: true,
            state: { news: t(UNCONFIRMED[lastNetworkRequest()]) },
          });
        await sessionChanged('opened');
        navigate(paths.home(msisdn), { replace: true });
      } catch (error) {
        console.info('Subscription check failed', error);
        navigate(paths.root(), { replace: true });
      }
    };
    decide();
  }, [msisdn, subscriptionId, reply, navigate]);

  useEffect(() => {
    document.title = brand().name;
  }, []);

  return (
    <main className="redirecting" aria-busy={reply !== 'stop'}>
      {reply !== 'stop' && <span className="spinner" />}
      <h1>{reply ? t('reply-sms', { word: reply === 'stop' ? 'STOP' : 'YES' }) : t('redirecting')}</h1>
    </main>
  );
}
