/** The join form. It sends a new number to the operator's page, an active or test number to the home page. */

import {
  type FormEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { notify } from '../../../shared/ui/notify';
import { isStatus, messageOf } from '../../api/problem';
import { brand, iconOf, priceFor, shownOf } from '../../brand';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { type ShownForm, serverInput } from '../../server-input';
import { Frame } from '../../ui/Frame';
import { OfferTerms, PriceLine } from '../../ui/PriceLine';
import { digitsOf, isTestNumber } from '../../visitor';
import { rememberWanted } from '../../wanted';
import { requestChallenge, subscribe } from './api';
import { textsOf } from './forms';
import { SimOffers, useSimProblem } from './SimOffers';
import './join.css';

/** The state of a form that the gateway shows again: beside its markup as JSON. The visitor may have typed in the field since. */
function shownForm() {
  const text = document.getElementById('form')?.textContent;
  const form: Partial<ShownForm> = text ? JSON.parse(text) : {};
  const field = document.querySelector<HTMLInputElement>('#root input[name=msisdn]');
  return { ...form, typed: field?.value, focused: field !== null && field === document.activeElement };
}

export const page: PageOf = () => ({ name: 'join' });

export default function JoinPage() {
  const texts = textsOf(useLocation().pathname);
  const { enriched } = brand();
  const [initial] = useState(() => serverInput()?.form ?? shownForm());
  const clean = (typed: string) => (texts.digitsOnly ? digitsOf(typed) : typed);
  const [msisdn, setMsisdn] = useState(() => clean(initial.typed ?? ''));
  const simProblem = useSimProblem();
  const [problem, setProblem] = useState(initial.problem || simProblem);
  const [isRefused, setRefused] = useState(false);
  const [networks, setNetworks] = useState(initial.networks ?? []);
  const [held, setHeld] = useState(initial.held);
  const field = useRef<HTMLInputElement>(null);
  const formElement = useRef<HTMLFormElement>(null);
  /** Of the prices that were shown when it was requested; it counts once. */
  const challenge = useRef<{ shown: string; text: Promise<string> }>(undefined);
  const [submitting, setSubmitting] = useState(false);
  const query = new URLSearchParams(useLocation().search);
  const extRef = query.get('ext_ref') ?? '';
  const wanted = query.get('page') ?? '';
  const antiFraudToken = query.get('anti_fraud_token');
  // The price line names the one price that is left to agree to.
  const offers = networks.length > 0 ? networks : [brand(), ...(brand().by_sim ?? [])];
  const shown = offers.map(shownOf).join('~');
  const navigate = useNavigate();

  // The visitor may type during hydration: React keeps the field's value, but calls no handler for it.
  const onHydrated = useEffectEvent(() => {
    const input = field.current;
    if (!input) return;
    if (initial.focused) input.focus();
    const typed = clean(input.value);
    if (input.value !== typed) input.value = typed;
    setMsisdn(typed);
  });
  // Before the next key press.
  useLayoutEffect(() => onHydrated(), []);

  const renew = () => {
    challenge.current = { shown, text: requestChallenge(shown) };
    return challenge.current;
  };
  const onShown = useEffectEvent(() => {
    document.getElementById('form')?.remove();
    renew();
  });
  // The back button from the operator's page restores this page from the back/forward cache, with its button still disabled and its
  // challenge used.
  const onRestored = useEffectEvent(({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    renew();
    setHeld(undefined);
    setSubmitting(false);
  });
  useEffect(() => {
    onShown();
    const restored = (event: PageTransitionEvent) => onRestored(event);
    window.addEventListener('pageshow', restored);
    return () => window.removeEventListener('pageshow', restored);
  }, []);

  /** Signed is what the page showed when it was tapped. */
  const challengeNow = () => {
    const known = challenge.current;
    return held?.challenge ?? (known?.shown === shown ? known : renew()).text;
  };

  const follow = async (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    // The challenge of a second tap would be used already.
    if (submitting) return;
    const address = event.currentTarget.href;
    setSubmitting(true);
    const text = await challengeNow();
    window.location.assign(text ? `${address}&challenge=${encodeURIComponent(text)}` : address);
  };

  const join = async (event: FormEvent<HTMLFormElement>) => {
    // The form is then sent to the gateway, which says that nothing could be opened.
    if (!navigator.cookieEnabled) return;
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    // Chrome names the button since version 81; the one that was tapped has the focus, too.
    const button = (event.nativeEvent as SubmitEvent).submitter ?? document.activeElement;
    const network = (button instanceof HTMLButtonElement && button.value) || '';
    if (isTestNumber(msisdn)) return navigate(paths.home(msisdn.trim()));
    setSubmitting(true);
    setProblem('');
    setRefused(false);
    try {
      const reply = await subscribe({
        msisdn,
        ext_ref: extRef,
        ...(network && { network }),
        ...(antiFraudToken && { anti_fraud_token: antiFraudToken }),
        ...(wanted && { page: wanted }),
        shown,
        challenge: await challengeNow(),
        code: String(fields.get('code') ?? ''),
        homepage: String(fields.get('homepage') ?? ''),
      });
      if (reply.result === 1 && reply.redirectUrl) return window.location.assign(reply.redirectUrl);
      if (reply.result === 2) {
        rememberWanted(wanted);
        return navigate(paths.home(msisdn.trim()));
      }
      const { challenge: next, code = '' } = reply;
      setHeld(next ? { challenge: next, code } : undefined);
      setNetworks(reply.networks ?? []);
      if (reply.error_message || !reply.networks)
        notify(reply.error_message ?? reply.msg ?? t('join-failed'));
    } catch (error) {
      console.info('Join failed', error);
      notify(messageOf(error, t('join-failed')));
      renew();
      setHeld(undefined);
      if (isStatus(error, 422)) {
        setRefused(true);
        field.current?.focus();
      }
    }
    setSubmitting(false);
  };

  return (
    <Frame title={t('join-site', { name: brand().name })}>
      <form
        ref={formElement}
        className="join"
        method="post"
        action={paths.joinForm(extRef, wanted)}
        onSubmit={join}
      >
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
        {wanted && <input type="hidden" name="page" value={wanted} />}
        <input type="hidden" name="shown" value={shown} />
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
              autoComplete="tel"
              placeholder={texts.placeholder}
              required
              aria-invalid={isRefused || undefined}
              value={msisdn}
              onChange={({ target }) => {
                setMsisdn(clean(target.value));
                setRefused(false);
                // Another number may be on another network.
                setNetworks([]);
              }}
            />
          </>
        )}
        {/* For programs that fill in every field. Browsers without styles show it. */}
        <label hidden>
          {t('leave-empty')} <input name="homepage" autoComplete="off" />
        </label>
        {held && <input type="hidden" name="challenge" value={held.challenge} />}
        {held?.code && (
          <>
            <label className="field-label" htmlFor="code">
              {t('type-code', { code: held.code })}
            </label>
            <input
              key={held.challenge}
              id="code"
              name="code"
              className="field"
              inputMode="numeric"
              autoComplete="off"
              required
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
              {networks.length > 1 && <p className="field-label">{t('choose-network')}</p>}
              {networks.map(offer => (
                <button
                  key={offer.network}
                  name="network"
                  value={offer.network}
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
          <SimOffers extRef={extRef} page={wanted} follow={follow} />
          <PriceLine offer={networks.length === 1 ? networks[0] : undefined} />
        </div>
      </form>
    </Frame>
  );
}
