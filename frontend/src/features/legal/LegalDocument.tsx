/** A legal text with Go Back buttons. */

import { brand } from '../../brand';
import { t } from '../../messages';
import { BackIcon } from '../../ui/BackIcon';
import { Frame } from '../../ui/Frame';
import { GoBack } from './GoBack';
import { inForceSince, type LegalText } from './sections';
import './legal.css';

export function LegalDocument({ text }: { text: LegalText }) {
  return (
    <Frame title={text.title}>
      <div className="legal">
        <GoBack>
          <BackIcon />
        </GoBack>
        {t('lang') !== 'en' && <p>{t('terms-in-english', { helpline: brand().helpline })}</p>}
        <article lang="en">
          <h1>{text.title}</h1>
          <p className="legal-lead">
            {brand().name} · {inForceSince(text.since)}
          </p>
          {text.sections.map(({ heading, paragraphs }, place) => (
            <section key={heading}>
              <h2>
                {place + 1}. {heading}
              </h2>
              {paragraphs.map(paragraph => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </section>
          ))}
        </article>
        <GoBack />
      </div>
    </Frame>
  );
}
