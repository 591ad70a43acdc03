/** Searches memes by title and category. */
import { useQuery } from '../../api/query-client';
import { Found, matches, Search } from '../../ui/Search';
import { CardSkeletons, Loaded } from '../../ui/States';
import { everyMemeQuery } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav } from './MemeNav';
import './memes.css';

export default function MemeSearchPage() {
  const query = useQuery(everyMemeQuery);
  return (
    <Search nav={<MemeNav flag="1" />} what="Search memes">
      {words => (
        <Loaded
          query={query}
          skeleton={
            <div className="grid grid-memes">
              <CardSkeletons count={6} shape="portrait" />
            </div>
          }
          empty="No memes yet. Come back soon."
        >
          {all => {
            const found = all
              .filter(({ meme, category }) => matches(words, meme.title, category))
              .map(({ meme }) => meme);
            return (
              <>
                <Found count={found.length} />
                <MemeGrid memes={found} />
              </>
            );
          }}
        </Loaded>
      )}
    </Search>
  );
}
