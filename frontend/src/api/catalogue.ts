/** Calls whose replies are the same for every visitor. Only these may come with the page: see first-views.js. */
import { get } from './client';
import { type QueryKey, queryOptions } from './query-client';
import { takeReply } from './replies';

/** One call, and what to `read` from its reply. A reply that came with the page is there in the first rendering, and counts as fresh. */
export const catalogueQuery = <Reply, Data = Reply>(
  queryKey: QueryKey,
  path: string,
  read = (reply: Reply): Data => reply as unknown as Data,
) =>
  queryOptions({
    queryKey,
    queryFn: async () => read(await get<Reply>(path)),
    initialData: (): Data | undefined => {
      const reply = takeReply(path);
      return reply === undefined ? undefined : read(reply as Reply);
    },
  });
