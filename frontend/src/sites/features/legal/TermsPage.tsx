/** The terms of an address, with Go Back buttons: in the page's language, and at the same address with `/en` in English. */
import { Link, useLocation } from 'react-router';
import { brand } from '../../brand';
import { withDomain } from '../../host';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { BackIcon } from '../../ui/BackIcon';
import { Frame } from '../../ui/Frame';
import { GoBack } from './GoBack';
import { textAt } from './sections';
import { useTerms } from './terms';
import './legal.css';

export const page: PageOf = () => ({ name: 'terms' });

export default function TermsPage() {
  const [, path = '', inEnglish] = /^(.*?)(\/en)?\/*$/.exec(useLocation().pathname) ?? [];
  const { title, sections } = textAt(path);
  const language = t('lang');
  const shown = inEnglish ? 'en' : language;
  const text = useTerms(shown);
  return (
    <Frame title={text(title)}>
      <div className="legal">
        <GoBack>
          <BackIcon />
        </GoBack>
        {shown !== 'en' && (
          <>
            <p>{text('translation')}</p>
            <p>
              <Link to={withDomain(`${path}/en`)} className="button button-quiet" hrefLang="en">
                {text('show-english')}
              </Link>
            </p>
          </>
        )}
        {shown !== language && (
          <p>
            <Link to={withDomain(path)} className="button button-quiet" hrefLang={language}>
              {LANGUAGES.find(([code]) => code === language)?.[1] ?? language}
            </Link>
          </p>
        )}
        <article lang={shown}>
          <h1>{text(title)}</h1>
          <p className="legal-lead">
            {brand().name} · {text('in-force')}
          </p>
          {sections.map(([heading, ...paragraphs], place) => (
            <section key={heading}>
              <h2>
                {place + 1}. {text(heading)}
              </h2>
              {paragraphs.map(paragraph => (
                <p key={paragraph}>{text(paragraph)}</p>
              ))}
            </section>
          ))}
        </article>
        <GoBack />
      </div>
    </Frame>
  );
}
