/** Random memes. The like gate is always open here: the flag is fixed to '1'. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Meme } from '../../api/types';
import { brand } from '../../brand';
import { Menu } from '../../ui/Menu';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { randomQuery, useLikes } from './api';
import { LikeButton } from './LikeButton';
import { MemeNav, useCategoryItems } from './MemeNav';
import { MemePicture } from './MemePicture';
import { MemeViewer } from './MemeViewer';
import './memes.css';

const FLAG = '1';

export default function MemeHomePage() {
  const memes = useQuery(randomQuery);
  const likes = useLikes();
  const categories = useCategoryItems(FLAG);
  const [shown, setShown] = useState<Meme | null>(null);

  return (
    <Shell title={brand().name} nav={<MemeNav flag={FLAG} />}>
      <div className="meme-hero">
        <h1>Welcome to Meme World, the best and quickest way to boost your social media game!</h1>
        <p>Click on a meme to get started now!</p>
        <Menu label="Browse Category" items={categories} empty="No categories yet." className="menu-large" />
      </div>
      <Loaded
        query={memes}
        skeleton={
          <div className="grid grid-memes">
            <CardSkeletons count={12} shape="portrait" />
          </div>
        }
        empty="No memes yet. Come back soon."
      >
        {list => (
          <div className="grid grid-memes">
            {list.map((meme, place) => (
              <article key={meme.id} className="meme-card">
                <button
                  type="button"
                  className="meme-open"
                  aria-label={`Open ${meme.title}`}
                  onClick={() => setShown(meme)}
                >
                  <MemePicture meme={meme} eager={place < 2} />
                </button>
                <div className="meme-foot">
                  <h2>{meme.title}</h2>
                  <LikeButton
                    title={meme.title}
                    liked={likes.isLiked(meme.id)}
                    count={meme.likes ?? 0}
                    onToggle={() => likes.toggle(meme)}
                  />
                </div>
              </article>
            ))}
          </div>
        )}
      </Loaded>
      {shown && <MemeViewer meme={shown} onClose={() => setShown(null)} />}
    </Shell>
  );
}
