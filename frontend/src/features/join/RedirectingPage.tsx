/** The return address from the operator: leads to the home page if the network confirmed this attempt, otherwise to the front page. */

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

export default function RedirectingPage() {
  const query = new URLSearchParams(useLocation().search);
  const navigate = useNavigate();
  const requested = useRef(false);
  const msisdn = query.get('msisdn') ?? '';
  const subscriptionId = query.get('subscription_id') ?? '';

  useEffect(() => {
    // Only the first call opens the session, so the effect must not call again.
    if (requested.current) return;
    requested.current = true;
    const decide = async () => {
      try {
        const { result } = await checkSubscription(msisdn, subscriptionId);
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
  }, [msisdn, subscriptionId, navigate]);

  useEffect(() => {
    document.title = brand().name;
  }, []);

  return (
    <main className="redirecting" aria-busy="true">
      <span className="spinner" />
      <h1>{t('redirecting')}</h1>
    </main>
  );
}
