/** The home of comedy and football, a deck of cards: artists, the how-to card (until the visitor has swiped) and a last card. */

import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Artist } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { useFirstScreen, useHydrated } from '../../hydration';
import { rememberSeen, seenBefore, unseenFirst } from '../../memory';
import { langOf, t } from '../../messages';
import type { Flag } from '../../paths';
import { preload } from '../../preload';
import { byTaste, isLiked, learnTaste, NO_TASTE, type Taste, tasteBefore } from '../../taste';
import { useContinueWatching } from '../../ui/continue-watching';
import { CrossIcon, HeartIcon, SwipeIcon } from '../../ui/icons';
import { getLocalItem, setLocalItem } from '../../ui/local-storage';
import { Picture } from '../../ui/Picture';
import { Shell } from '../../ui/Shell';
import { Loaded } from '../../ui/States';
import { type DeckCard, type Direction, SwipeDeck } from '../../ui/SwipeDeck';
import { useService } from '../../visitor';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery } from './api';
import type { ArtistKind } from './artist-kinds';
import { PlainArtists } from './PlainArtists';
import './artists.css';
import { Plain } from '../../ui/Plain';

const HOW_TO = 'how-to';
/** Artists beside the deck on wide screens. The header and the deck list all of them. */
const SIDE_ARTISTS = 24;
const HOW_TO_READ = 'spaza.how-to';

const keyOf = ({ id }: { id: number }) => `artist-${id}`;
/** Artists in a page of the list. */
const PAGE_SIZE = 200;

export function ArtistHome({ kind, flag }: { kind: ArtistKind; flag: Flag }) {
  const { name, copy } = brand();
  const service = useService();
  const artists = useInfiniteQuery(artistsQuery(kind, service));
  const list = artists.data?.items ?? [];
  const onScreen = useFirstScreen();
  const navigate = useNavigate();

  const continueWatching = useContinueWatching();
  const howToRead = useHydrated(() => getLocalItem(HOW_TO_READ) !== null, false);
  const seen = useHydrated(() => seenBefore('deck'), '[]');
  const before = useMemo(() => new Set<string>(JSON.parse(seen)), [seen]);
  const learned = useHydrated(() => tasteBefore('deck'), NO_TASTE);
  const taste = useMemo((): Taste => JSON.parse(learned), [learned]);
  const [dismissed, setDismissed] = useState(false);

  const more = () => {
    if (!artists.isFetchingNextPage) artists.fetchNextPage();
  };
  const onSwipe = (key: string, direction: Direction, knows: boolean) => {
    if (key === HOW_TO || knows) {
      setLocalItem(HOW_TO_READ, 'yes');
      setDismissed(true);
    }
    if (key === HOW_TO) return undefined;
    const artist = keyOf({ id: Number(key) });
    rememberSeen(artist);
    learnTaste(artist, direction === 'right' ? 'chosen' : 'left');
    if (direction === 'left') return undefined;
    const videos = kind.grid(key, service, flag);
    preload(videos);
    const timer = window.setTimeout(() => navigate(videos), kind.heartMs);
    return () => window.clearTimeout(timer);
  };

  return (
    <Shell title={name} nav={<ArtistLinks kind={kind} service={service} />}>
      <div className="swipe-home">
        <div className="swipe-home-intro">
          <p className="eyebrow">{t('welcome')}</p>
          <h1>{name}</h1>
          <p>{copy.tagline ?? t('tagline-videos')}</p>
          <div className="swipe-home-faces">
            {onScreen(list)
              .slice(0, SIDE_ARTISTS)
              .map(each => (
                <ArtistChip key={each.id} artist={each} kind={kind} service={service} />
              ))}
          </div>
        </div>
        <Plain>{SERVER_RENDERING && <PlainArtists artists={list} kind={kind} service={service} />}</Plain>
        <Loaded query={artists} skeleton={<DeckSkeleton />} empty={t('come-back')}>
          {({ items }) => (
            <SwipeDeck
              name={`deck.${service}`}
              cards={deckOf(
                unseenFirst(byTaste(items, keyOf, taste, PAGE_SIZE), keyOf, before, artists.hasNextPage),
                kind,
                taste,
                !howToRead && !dismissed,
              )}
              more={artists.hasNextPage ? more : undefined}
              lastCard={lastCard()}
              onSwipe={onSwipe}
              rightLabel={t('like-card')}
              leftLabel={t('skip-card')}
            />
          )}
        </Loaded>
      </div>
      {/* Below the deck, which fills a phone's first screen, so that nothing visible moves. */}
      {continueWatching}
    </Shell>
  );
}

/** The first card is an artist, whom this phone has not shown in 30 days while there is one. The how-to card is second, until this phone has swiped once. */
function deckOf(artists: Artist[], kind: ArtistKind, taste: Taste, withHowTo: boolean): DeckCard[] {
  const [first, ...others] = artists.map((artist, place) => ({
    key: String(artist.id),
    label: `${artist.artist}, ${t(kind.role)}`,
    body: () => (
      <ArtistCard
        artist={artist}
        role={t(kind.role)}
        liked={isLiked(keyOf(artist), taste)}
        eager={place === 0}
      />
    ),
  }));
  const howTo = { key: HOW_TO, label: t('how-to'), body: () => <HowTo {...kind.howTo} />, explains: true };
  return [...(first ? [first] : []), ...(withHowTo ? [howTo] : []), ...others];
}

type CardProps = { artist: Artist; role: string; liked: boolean; eager: boolean };

function ArtistCard({ artist, role, liked, eager }: CardProps) {
  return (
    <div className="artist-card">
      <Picture
        src={artist.artist_img_url}
        alt={artist.artist}
        width={600}
        height={800}
        sizes="(min-width: 768px) 400px, 92vw"
        max={960}
        eager={eager}
      />
      <div className="artist-card-text">
        <p className="artist-card-role">
          <span>{role}</span> <span>#{artist.id}</span>
        </p>
        <h2>{artist.artist}</h2>
        {liked && <p className="because">{t('because-liked', { name: artist.artist })}</p>}
        <p className="artist-card-about" lang={langOf(artist.description_lang)}>
          {artist.description}
        </p>
      </div>
    </div>
  );
}

function HowTo({ title, right, left }: ArtistKind['howTo']) {
  return (
    <div className="text-card">
      {title ? <h2>{t(title)}</h2> : <SwipeIcon />}
      <p className="how-to" data-side="right">
        <HeartIcon />
        {t(right)}
      </p>
      <p className="how-to" data-side="left">
        <CrossIcon />
        {t(left)}
      </p>
    </div>
  );
}

const lastCard = (): DeckCard => ({
  key: 'come-back',
  label: t('the-end'),
  body: () => (
    <div className="text-card text-card-last">
      <h2>{t('come-back')}</h2>
    </div>
  ),
});

function DeckSkeleton() {
  return (
    <div className="deck">
      <div className="deck-stack">
        <div className="deck-card skeleton" data-depth="0" />
      </div>
      <div className="deck-buttons">
        <span className="deck-button skeleton" />
        <span className="deck-button skeleton" />
      </div>
    </div>
  );
}
