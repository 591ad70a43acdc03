/** The swipe home of comedy and football: how-to card, artists, and the card that ends the stack. */

import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from '../../api/query-client';
import type { Artist } from '../../api/types';
import { brand } from '../../brand';
import type { Flag } from '../../paths';
import { CrossIcon, HeartIcon, SwipeIcon } from '../../ui/icons';
import { Picture } from '../../ui/Picture';
import { Shell } from '../../ui/Shell';
import { Loaded } from '../../ui/States';
import { type DeckCard, SwipeDeck } from '../../ui/SwipeDeck';
import { useService } from '../../visitor';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery } from './api';
import type { Flavour } from './flavour';
import './artists.css';

const COME_BACK = 'COME BACK FOR MORE CONTENT SOON.';

export function ArtistHome({ flavour, flag }: { flavour: Flavour; flag: Flag }) {
  const { name, copy } = brand();
  const service = useService();
  const artists = useQuery(artistsQuery(flavour, service));
  const navigate = useNavigate();
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const onRight = (key: string) => {
    if (key === 'how-to') return false;
    timer.current = window.setTimeout(() => navigate(flavour.grid(key, service, flag)), flavour.heartMs);
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
            {artists.data?.map(each => (
              <ArtistChip key={each.id} artist={each} flavour={flavour} service={service} />
            ))}
          </div>
        </div>
        <Loaded query={artists} skeleton={<DeckSkeleton />} empty={COME_BACK}>
          {list => (
            <SwipeDeck
              cards={deckOf(list, flavour)}
              lastCard={LAST_CARD}
              onRight={onRight}
              rightLabel="Like: see the videos"
              leftLabel="Skip: next card"
            />
          )}
        </Loaded>
      </div>
    </Shell>
  );
}

function deckOf(artists: Artist[], flavour: Flavour): DeckCard[] {
  return [
    { key: 'how-to', label: 'How to use the site', body: <HowTo {...flavour.howTo} /> },
    ...artists.map((artist, place) => ({
      key: String(artist.id),
      label: `${artist.artist}, ${flavour.role}`,
      body: <ArtistCard artist={artist} role={flavour.role} eager={place === 0} />,
    })),
  ];
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
  body: (
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
