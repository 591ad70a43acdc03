/** The memes of one category. Here the address says whether the visitor may like. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Meme } from '../../api/types';
import { longDate } from '../../clock';
import { openOptIn } from '../../session';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { categoryQuery, useLikes } from './api';
import { LikeButton } from './LikeButton';
import { MemeNav } from './MemeNav';
import { MemePicture } from './MemePicture';
import './memes.css';

export default function MemeCategoryPage() {
  const { count, id = '' } = useParams();
  const flag = count === '1' ? '1' : '0';
  const category = useQuery(categoryQuery(id));
  const likes = useLikes();
  const toggle = (meme: Meme) => (flag === '1' ? likes.toggle(meme) : openOptIn());
  const heading = category.data?.categoryName.toUpperCase() ?? 'MEMES';

  return (
    <Shell title={heading} nav={<MemeNav flag={flag} />}>
      <h1 className="page-heading">{heading}</h1>
      <Loaded
        query={category}
        skeleton={
          <div className="grid grid-memes">
            <CardSkeletons count={12} shape="portrait" />
          </div>
        }
        empty="There is no meme in this category!"
        isEmpty={({ memes }) => memes.length === 0}
      >
        {({ memes }) => (
          <div className="grid grid-memes">
            {memes.map((meme, place) => {
              const liked = likes.isLiked(meme.id);
              return (
                <article key={meme.id} className="meme-card">
                  <MemePicture meme={meme} eager={place < 2} />
                  <div className="meme-foot">
                    <div>
                      <h2>{meme.title}</h2>
                      <p className="meme-date">{longDate(meme.created_at)}</p>
                    </div>
                    <LikeButton
                      title={meme.title}
                      liked={liked}
                      count={liked ? 1 : 0}
                      onToggle={() => toggle(meme)}
                    />
                  </div>
                </article>
              );
            })}
          </div>
        )}
      </Loaded>
    </Shell>
  );
}
