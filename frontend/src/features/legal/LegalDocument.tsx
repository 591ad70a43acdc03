/** A legal text with a way back. */
import { useNavigate } from 'react-router';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { BackIcon } from '../../ui/icons';
import { Shell } from '../../ui/Shell';
import type { LegalText } from './sections';
import './legal.css';

export function LegalDocument({ text }: { text: LegalText }) {
  const navigate = useNavigate();
  // Opened by a link from elsewhere there is no page to go back to.
  const goBack = () => (window.history.length > 1 ? navigate(-1) : navigate(paths.root()));
  return (
    <Shell title={text.title} bare>
      <article className="legal">
        <button type="button" className="button button-quiet legal-back" onClick={goBack}>
          <BackIcon />
          Go Back
        </button>
        <h1>{text.title}</h1>
        <p className="legal-lead">
          {brand().name} · in force since {text.since}
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
        <button type="button" className="button button-quiet" onClick={goBack}>
          Go Back
        </button>
      </article>
    </Shell>
  );
}
