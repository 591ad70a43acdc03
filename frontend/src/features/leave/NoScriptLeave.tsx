/** Leaving without scripts: in one tap with a session, by number through the network's page without one. */

import type { Me } from '../../api/types';
import { t } from '../../messages';
import { forms } from '../../paths';
import { ownReply, serverInput } from '../../server-input';
import { hasSession } from '../../ui/NoScriptForms';
import { DetailsList, publicDetails, subscriptionDetails, UnsubscribedNotice } from './SubscriptionDetails';

export function NoScriptLeave() {
  const me = ownReply<Me>('/api/subscribe/me');
  const { problem = '', typed = '' } = serverInput()?.form ?? {};
  if (serverInput()?.left) return <UnsubscribedNotice />;
  // With a session cookie, but no reply about it, the form still offers to leave in one tap: the leave may succeed.
  const byNumber = !hasSession() || me === null || me?.state === 'cancelled' || typed !== '';
  return (
    <section className="panel">
      <DetailsList rows={me && !byNumber ? subscriptionDetails(me) : publicDetails()} />
      {problem && (
        <p className="join-problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={forms.leave}>
        {byNumber && (
          <>
            <label className="field-label" htmlFor="leave-msisdn">
              {t('number-to-unsubscribe')}
            </label>
            <input
              id="leave-msisdn"
              className="field"
              name="msisdn"
              type="text"
              inputMode="tel"
              autoComplete="tel"
              placeholder={t('number-example')}
              required
              defaultValue={typed}
            />
          </>
        )}
        <button type="submit" className="button button-large">
          {t(byNumber ? 'unsubscribe' : 'unsubscribe-now')}
        </button>
        <p className="leave-note">{t(byNumber ? 'network-asks' : 'ends-at-once')}</p>
      </form>
    </section>
  );
}
