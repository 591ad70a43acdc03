/** The join form. A new number goes to the operator, an active or test number straight home. */
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { messageOf } from '../../api/problem';
import { brand, iconOf } from '../../brand';
import { paths } from '../../paths';
import { serverInput } from '../../server-input';
import { Frame } from '../../ui/Frame';
import { notify } from '../../ui/notify';
import { PriceLine } from '../../ui/PriceLine';
import { isTestNumber } from '../../visitor';
import { subscribe } from './api';
import { type FormName, wordsOf } from './forms';
import './join.css';

/** The form as the server rendered it. The visitor may have typed in it before hydration. */
function serverForm() {
  const given = serverInput()?.form;
  if (given) return { ...given, focused: false };
  const field = document.querySelector<HTMLInputElement>('#root input[name=msisdn]');
  return {
    typed: field?.value ?? '',
    problem: document.querySelector('#root .join-problem')?.textContent ?? '',
    focused: field !== null && field === document.activeElement,
  };
}

export default function JoinPage({ form }: { form: FormName }) {
  const words = wordsOf(form);
  const [written] = useState(serverForm);
  const clean = (typed: string) => (words.digitsOnly ? typed.replace(/\D/g, '') : typed);
  const [msisdn, setMsisdn] = useState(() => clean(written.typed));
  const [problem, setProblem] = useState(written.problem);
  const field = useRef<HTMLInputElement>(null);
  const [submitting, setSubmitting] = useState(false);
  const extRef = new URLSearchParams(useLocation().search).get('ext_ref') ?? '';
  const navigate = useNavigate();

  // Typing goes on across hydration: React keeps the value of the field, but calls no handler for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the next key can be pressed
  useLayoutEffect(() => {
    const shown = field.current;
    if (!shown) return;
    if (written.focused) shown.focus();
    const typed = clean(shown.value);
    if (shown.value !== typed) shown.value = typed;
    setMsisdn(typed);
  }, []);

  // Coming back from the operator by the back button revives this page as it was: still "Loading...".
  useEffect(() => {
    const revived = (event: PageTransitionEvent) => event.persisted && setSubmitting(false);
    window.addEventListener('pageshow', revived);
    return () => window.removeEventListener('pageshow', revived);
  }, []);

  const join = async (event: FormEvent) => {
    event.preventDefault();
    if (isTestNumber(msisdn)) return navigate(paths.home(msisdn.trim()));
    setSubmitting(true);
    setProblem('');
    try {
      const reply = await subscribe(msisdn, extRef);
      if (reply.result === 1 && reply.redirectUrl) return window.location.assign(reply.redirectUrl);
      if (reply.result === 2) return navigate(paths.home(msisdn.trim()));
      notify(reply.error_message ?? reply.msg ?? 'We could not sign you up. Please try again.');
    } catch (error) {
      console.info('Join failed', error);
      notify(messageOf(error, 'We could not sign you up. Please try again.'));
    }
    setSubmitting(false);
  };

  return (
    <Frame title={`Join ${brand().name}`}>
      <form className="join" method="post" action={paths.joinForm()} onSubmit={join}>
        <img className="join-icon" src={iconOf(brand())} alt="" width="72" height="72" />
        <h1>
          {words.eyebrow && <span className="eyebrow">{words.eyebrow}</span>} {words.heading}
        </h1>
        {words.tagline && <p className="join-tagline">{words.tagline}</p>}
        {problem && (
          <p className="join-problem" role="alert">
            {problem}
          </p>
        )}
        {extRef && <input type="hidden" name="ext_ref" value={extRef} />}
        <label className="field-label" htmlFor="msisdn">
          {words.label}
        </label>
        <input
          ref={field}
          id="msisdn"
          name="msisdn"
          className="field"
          type="text"
          inputMode={words.digitsOnly ? 'numeric' : 'tel'}
          pattern={words.digitsOnly ? '[0-9]*' : undefined}
          autoComplete="tel"
          placeholder={words.placeholder}
          required
          value={msisdn}
          onChange={({ target }) => setMsisdn(clean(target.value))}
        />
        <div className="join-agree">
          <input id="agree" name="agree" value="1" type="checkbox" />
          <label htmlFor="agree">I agreed to the Terms and Conditions</label>
          <Link to={paths.terms()}>Read</Link>
        </div>
        <div className="join-act">
          <button type="submit" className="button button-large" disabled={submitting}>
            {submitting ? 'Loading...' : 'JOIN'}
          </button>
          <PriceLine />
        </div>
      </form>
    </Frame>
  );
}
