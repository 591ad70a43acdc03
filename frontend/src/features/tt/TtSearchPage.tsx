/** Searches every video of the service by title and category. */
import { useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { Found, matches, Search } from '../../ui/Search';
import { CardSkeletons, Loaded } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { categoryVideosQuery } from './api';
import { TtNav } from './TtNav';
import './tt.css';

export default function TtSearchPage() {
  const { service } = brand();
  const query = useQuery(categoryVideosQuery(service));
  return (
    <Search nav={<TtNav service={service} />} what="Search videos">
      {words => (
        <Loaded
          query={query}
          skeleton={
            <div className="grid grid-videos">
              <CardSkeletons count={6} shape="wide" />
            </div>
          }
          empty="Nothing to watch yet. Come back soon."
        >
          {groups => {
            const found = groups.flatMap(({ category, videos }) =>
              videos
                .filter(({ name, video_name }) => matches(words, name, video_name, category.category_name))
                .map(video => ({ ...video, note: category.category_name })),
            );
            return (
              <>
                <Found count={found.length} />
                <div className="grid grid-videos">
                  {found.map(({ id, imgurl, name, note, duration_s, bytes }) => (
                    <VideoCard
                      key={id}
                      to={paths.ttVideo(id, service)}
                      image={imgurl}
                      title={name}
                      note={note}
                      seconds={duration_s}
                      bytes={bytes}
                    />
                  ))}
                </div>
              </>
            );
          }}
        </Loaded>
      )}
    </Search>
  );
}
