/** The join form. It sends a new number to the operator's page, an active or test number to the home page. */

import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { messageOf } from '../../api/problem';
import type { OfferedNetwork } from '../../api/types';
import { brand, iconOf, priceFor } from '../../brand';
import { t } from '../../messages';
import { paths } from '../../paths';
import { serverInput } from '../../server-input';
import { Frame } from '../../ui/Frame';
import { notify } from '../../ui/notify';
import { OfferTerms, PriceLine } from '../../ui/PriceLine';
import { isTestNumber } from '../../visitor';
import { subscribe } from './api';
import { type FormName, textsOf } from './forms';
import { SimOffers, useSimProblem } from './SimOffers';
import './join.css';

/** The state of the server-rendered form. The visitor may have typed in it before hydration. */
function serverForm() {
  const input = serverInput()?.form;
  if (input) return { ...input, focused: false };
  const field = document.querySelector<HTMLInputElement>('#root input[name=msisdn]');
  return {
    typed: field?.value ?? '',
    problem: document.querySelector('#root .join-problem')?.textContent ?? '',
    focused: field !== null && field === document.activeElement,
    networks: [...document.querySelectorAll<HTMLElement>('#root [data-offer]')].map(
      ({ dataset }): OfferedNetwork => JSON.parse(String(dataset.offer)),
    ),
  };
}

export default function JoinPage({ form }: { form: FormName }) {
  const texts = textsOf(form);
  const { enriched } = brand();
  const [initial] = useState(serverForm);
  const clean = (typed: string) => (texts.digitsOnly ? typed.replace(/\D/g, '') : typed);
  const [msisdn, setMsisdn] = useState(() => clean(initial.typed));
  const simProblem = useSimProblem();
  const [problem, setProblem] = useState(initial.problem || simProblem);
  const [networks, setNetworks] = useState(initial.networks);
  const field = useRef<HTMLInputElement>(null);
  const [submitting, setSubmitting] = useState(false);
  const extRef = new URLSearchParams(useLocation().search).get('ext_ref') ?? '';
  const navigate = useNavigate();

  // The visitor may type during hydration: React keeps the field's value, but calls no handler for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, before the next key press
  useLayoutEffect(() => {
    const shown = field.current;
    if (!shown) return;
    if (initial.focused) shown.focus();
    const typed = clean(shown.value);
    if (shown.value !== typed) shown.value = typed;
    setMsisdn(typed);
  }, []);

  // The back button from the operator's page restores this page from the back/forward cache, with its button still disabled.
  useEffect(() => {
    const restored = (event: PageTransitionEvent) => event.persisted && setSubmitting(false);
    window.addEventListener('pageshow', restored);
    return () => window.removeEventListener('pageshow', restored);
  }, []);

  const join = async (event: FormEvent) => {
    event.preventDefault();
    // Chrome names the button since version 81; the one that was tapped has the focus, too.
    const button = (event.nativeEvent as SubmitEvent).submitter ?? document.activeElement;
    const network = button instanceof HTMLButtonElement ? button.value : '';
    if (isTestNumber(msisdn)) return navigate(paths.home(msisdn.trim()));
    setSubmitting(true);
    setProblem('');
    try {
      const reply = await subscribe(msisdn, extRef, network);
      if (reply.result === 1 && reply.redirectUrl) return window.location.assign(reply.redirectUrl);
      if (reply.result === 2) return navigate(paths.home(msisdn.trim()));
      setNetworks(reply.networks ?? []);
      if (!reply.networks) notify(reply.error_message ?? reply.msg ?? t('join-failed'));
    } catch (error) {
      console.info('Join failed', error);
      notify(messageOf(error, t('join-failed')));
    }
    setSubmitting(false);
  };

  return (
    <Frame title={t('join-site', { name: brand().name })}>
      <form className="join" method="post" action={paths.joinForm(extRef)} onSubmit={join}>
        <img className="join-icon" src={iconOf(brand())} alt="" width="72" height="72" />
        <h1>
          {texts.eyebrow && <span className="eyebrow">{texts.eyebrow}</span>} {texts.heading}
        </h1>
        {texts.tagline && <p className="join-tagline">{texts.tagline}</p>}
        {problem && (
          <p className="join-problem" role="alert">
            {problem}
          </p>
        )}
        {extRef && <input type="hidden" name="ext_ref" value={extRef} />}
        {!enriched && (
          <>
            <label className="field-label" htmlFor="msisdn">
              {texts.label}
            </label>
            <input
              ref={field}
              id="msisdn"
              name="msisdn"
              className="field"
              type="text"
              inputMode={texts.digitsOnly ? 'numeric' : 'tel'}
              pattern={texts.digitsOnly ? '[0-9]*' : undefined}
              autoComplete="tel"
              placeholder={texts.placeholder}
              required
              value={msisdn}
              onChange={({ target }) => {
                setMsisdn(clean(target.value));
                // Another number may be on another network.
                setNetworks([]);
              }}
            />
          </>
        )}
        <div className="join-agree">
          <input id="agree" name="agree" value="1" type="checkbox" />
          <label htmlFor="agree">{t('agreed')}</label>
          <Link to={paths.terms()}>{t('read')}</Link>
        </div>
        <div className="join-act">
          {networks[0] ? (
            <>
              <p className="field-label">{t('choose-network')}</p>
              {networks.map(offer => (
                <button
                  key={offer.network}
                  name="network"
                  value={offer.network}
                  data-offer={JSON.stringify(offer)}
                  type="submit"
                  className="button"
                  disabled={submitting}
                >
                  {t('JOIN')} · {offer.name} · {priceFor(offer)}
                  <OfferTerms offer={offer} />
                </button>
              ))}
            </>
          ) : (
            <button type="submit" className="button button-large" disabled={submitting}>
              {t(submitting ? 'loading-button' : 'JOIN')}
            </button>
          )}
          <SimOffers extRef={extRef} />
          <PriceLine />
        </div>
      </form>
    </Frame>
  );
}
