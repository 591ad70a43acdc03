/** Leaving without scripts: in one tap for a session, through the network's page for a number. */
import type { Me } from '../../api/types';
import { forms } from '../../paths';
import { ownReply, serverInput } from '../../server-input';
import { hasSession } from '../../ui/PlainForms';
import { Facts, factsOf, Left, publicFacts } from './Facts';

export function PlainLeave() {
  const me = ownReply<Me>('/api/subscribe/me');
  const { problem = '', typed = '' } = serverInput()?.form ?? {};
  if (serverInput()?.left) return <Left />;
  // With a cookie and no word about it the form still tries it: leaving works as long as it can be recorded.
  const byNumber = !hasSession() || me === null || me?.state === 'cancelled' || typed !== '';
  return (
    <section className="panel">
      <Facts rows={me && !byNumber ? factsOf(me) : publicFacts()} />
      {problem && (
        <p className="join-problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={forms.leave}>
        {byNumber && (
          <>
            <label className="field-label" htmlFor="leave-msisdn">
              Number to unsubscribe
            </label>
            <input
              id="leave-msisdn"
              className="field"
              name="msisdn"
              type="text"
              inputMode="tel"
              autoComplete="tel"
              placeholder="eg 812xxxxxx"
              required
              defaultValue={typed}
            />
          </>
        )}
        <button type="submit" className="button button-large">
          {byNumber ? 'Unsubscribe' : 'Unsubscribe now'}
        </button>
        <p className="leave-note">
          {byNumber
            ? 'Your network asks you to confirm. That costs nothing.'
            : 'It ends at once. Nothing is charged after that.'}
        </p>
      </form>
    </section>
  );
}
