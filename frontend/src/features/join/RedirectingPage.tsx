/** Where the operator sends people back to: home if the network confirmed this try, else the front page. */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { sessionChanged } from '../../session';
import { networkRequest } from '../../visitor';
import { checkSubscription } from './api';
import './join.css';

export default function RedirectingPage() {
  const query = new URLSearchParams(useLocation().search);
  const navigate = useNavigate();
  const asked = useRef(false);
  const msisdn = query.get('msisdn') ?? '';
  const subscriptionId = query.get('subscription_id') ?? '';

  useEffect(() => {
    // The reply opens the session once, so it must be asked for once.
    if (asked.current) return;
    asked.current = true;
    const decide = async () => {
      try {
        const { result } = await checkSubscription(msisdn, subscriptionId);
        if (result !== 1)
          return navigate(paths.root(), { replace: true, state: { unconfirmed: networkRequest() } });
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
      <h1>redirecting....</h1>
    </main>
  );
}
