/** Like and Watchlist of one video. */

import { useParams } from 'react-router';
import type { MyTt, TtVideo } from '../../../shared/contract/sites';
import { sendOrKeep } from '../../api/outbox';
import { useMutation, useQuery, useQueryClient } from '../../api/query-client';
import { apiTime } from '../../clock';
import { t } from '../../messages';
import { apiService } from '../../service-name';
import { isOpen, useSession } from '../../session';
import { learnTaste } from '../../taste';
import { useVisitor } from '../../visitor';
import { mineQuery, tasteOf, watchlistQuery } from './api';

const NOTHING: MyTt = { liked: [], watchlist: [] };
const MARK = ['tt', 'mark'];

type List = keyof MyTt;

/** The state of Like and Watchlist for one video. Both are off until the visitor's lists are loaded. */
export function useMarks(video: TtVideo, service: string) {
  const { msisdn } = useVisitor();
  const { ani = msisdn } = useParams();
  const { videoid } = video;
  const serviceName = apiService(service);

  const like = useMark('liked', videoid, service, on =>
    on
      ? sendOrKeep(`like ${videoid}`, 'POST /api/tt/likevideo', {
          videoid,
          ani,
          status: '1',
          servicename: serviceName,
          created: apiTime(),
        })
      : sendOrKeep(`like ${videoid}`, 'DELETE /api/tt/unlikevideo', { ani, videoid }),
  );
  const watchlist = useMark('watchlist', videoid, service, on =>
    on
      ? sendOrKeep(`watchlist ${videoid}`, 'POST /api/tt/ttaddwatchlist', {
          ani,
          videoid,
          service: serviceName,
          name: video.name,
        })
      : sendOrKeep(`watchlist ${videoid}`, 'DELETE /api/tt/ttremove', { ani, videoid }),
  );
  const toggleLike = () => {
    learnTaste(tasteOf(video), like.on ? 'unliked' : 'liked');
    like.toggle();
  };
  return { like: { on: like.on, toggle: toggleLike }, watchlist };
}

/** Whether a video is in one of the visitor's lists. A change is shown optimistically, and undone if its call fails. */
function useMark(list: List, videoid: number, service: string, send: (on: boolean) => Promise<unknown>) {
  const client = useQueryClient();
  const session = useSession();
  const query = mineQuery(service);
  const mine = useQuery({ ...query, enabled: isOpen(session) }).data ?? NOTHING;
  const on = mine[list].includes(videoid);

  const show = (on: boolean) =>
    client.setQueryData(query.queryKey, (before = NOTHING) => {
      const others = before[list].filter(id => id !== videoid);
      return { ...before, [list]: on ? [...others, videoid] : others };
    });

  const mutationKey = [...MARK, list, videoid];
  const { mutate } = useMutation({
    mutationKey,
    // One after the other: two concurrent calls for one video could arrive in either order.
    scope: { id: mutationKey.join(' ') },
    mutationFn: send,
    onMutate: async on => {
      // A reply to an earlier request does not contain this change.
      await client.cancelQueries(query);
      show(on);
    },
    onError: (error, on) => {
      console.info('Not saved', list, error);
      show(!on);
      if (!on) window.alert(t('failed-removal'));
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: MARK }) === 1) client.invalidateQueries(query);
      if (list === 'watchlist') client.invalidateQueries(watchlistQuery(service));
    },
  });

  return { on, toggle: () => mutate(!on) };
}
