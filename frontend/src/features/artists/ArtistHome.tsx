/** The swipe home of comedy and football: artists, the how-to card once, and the card that ends the stack. */

import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import type { Artist } from '../../api/types';
import { brand } from '../../brand';
import { useFirstScreen, useHydrated } from '../../hydration';
import type { Flag } from '../../paths';
import { preload } from '../../preload';
import { CrossIcon, HeartIcon, SwipeIcon } from '../../ui/icons';
import { Picture } from '../../ui/Picture';
import { keep, recall } from '../../ui/phone-memory';
import { Shell } from '../../ui/Shell';
import { Loaded } from '../../ui/States';
import { type DeckCard, type Direction, SwipeDeck } from '../../ui/SwipeDeck';
import { useService } from '../../visitor';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery } from './api';
import type { Flavour } from './flavour';
import { PlainArtists } from './PlainArtists';
import './artists.css';

const COME_BACK = 'COME BACK FOR MORE CONTENT SOON.';
const HOW_TO = 'how-to';
/** Faces beside the deck on a wide screen; the bar above and the deck have all. */
const FACES = 24;
const HOW_TO_READ = 'spaza.how-to';

export function ArtistHome({ flavour, flag }: { flavour: Flavour; flag: Flag }) {
  const { name, copy } = brand();
  const service = useService();
  const artists = useInfiniteQuery(artistsQuery(flavour, service));
  const list = artists.data?.items ?? [];
  const onScreen = useFirstScreen();
  const navigate = useNavigate();
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  // On this phone, or just now.
  const read = useHydrated(() => recall(HOW_TO_READ) !== null, false);
  const [dismissed, setDismissed] = useState(false);

  const more = () => {
    if (!artists.isFetchingNextPage) artists.fetchNextPage();
  };
  const onSwipe = (key: string, direction: Direction) => {
    if (key === HOW_TO) {
      keep(HOW_TO_READ, 'yes');
      setDismissed(true);
    }
    if (key === HOW_TO || direction === 'left') return false;
    const videos = flavour.grid(key, service, flag);
    preload(videos);
    timer.current = window.setTimeout(() => navigate(videos), flavour.heartMs);
    return true;
  };

  return (
    <Shell title={name} nav={<ArtistLinks flavour={flavour} service={service} />}>
      <div className="swipe-home">
        <div className="swipe-home-intro">
          <p className="eyebrow">Welcome To</p>
          <h1>{name}</h1>
          <p>{copy.tagline}</p>
          <div className="swipe-home-faces">
            {onScreen(list)
              .slice(0, FACES)
              .map(each => (
                <ArtistChip key={each.id} artist={each} flavour={flavour} service={service} />
              ))}
          </div>
        </div>
        <noscript>
          {SERVER_RENDERING && <PlainArtists artists={list} flavour={flavour} service={service} />}
        </noscript>
        <Loaded query={artists} skeleton={<DeckSkeleton />} empty={COME_BACK}>
          {({ items }) => (
            <SwipeDeck
              name={`deck.${service}`}
              cards={deckOf(items, flavour, !read && !dismissed)}
              more={artists.hasNextPage ? more : undefined}
              lastCard={LAST_CARD}
              onSwipe={onSwipe}
              rightLabel="Like: see the videos"
              leftLabel="Skip: next card"
            />
          )}
        </Loaded>
      </div>
    </Shell>
  );
}

/** A face greets. What a swipe means is told by the second card, until it has been swiped once on this phone. */
function deckOf(artists: Artist[], flavour: Flavour, withHowTo: boolean): DeckCard[] {
  const [first, ...others] = artists.map((artist, place) => ({
    key: String(artist.id),
    label: `${artist.artist}, ${flavour.role}`,
    body: () => <ArtistCard artist={artist} role={flavour.role} eager={place === 0} />,
  }));
  const howTo = { key: HOW_TO, label: 'How to use the site', body: () => <HowTo {...flavour.howTo} /> };
  return [...(first ? [first] : []), ...(withHowTo ? [howTo] : []), ...others];
}

function ArtistCard({ artist, role, eager }: { artist: Artist; role: string; eager: boolean }) {
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
        <p className="artist-card-about">{artist.description}</p>
      </div>
    </div>
  );
}

function HowTo({ title, right, left }: Flavour['howTo']) {
  return (
    <div className="text-card">
      {title ? <h2>{title}</h2> : <SwipeIcon />}
      <p className="how-to" data-side="right">
        <HeartIcon />
        {right}
      </p>
      <p className="how-to" data-side="left">
        <CrossIcon />
        {left}
      </p>
    </div>
  );
}

const LAST_CARD: DeckCard = {
  key: 'come-back',
  label: 'The end',
  body: () => (
    <div className="text-card text-card-last">
      <h2>{COME_BACK}</h2>
    </div>
  ),
};

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
