/** Calls whose replies are the same for every visitor. The gateway embeds only these in a page: see first-views.js. */
import { get } from './client';
import { takeEmbeddedReply } from './embedded-replies';
import { type QueryKey, queryOptions } from './query-client';

/** One call; `read` selects data from its reply. An embedded reply is available in the first rendering and counts as fresh. */
export const catalogueQuery = <Reply, Data = Reply>(
  queryKey: QueryKey,
  path: string,
  read = (reply: Reply): Data => reply as unknown as Data,
) =>
  queryOptions({
    queryKey,
    queryFn: async () => read(await get<Reply>(path)),
    initialData: (): Data | undefined => {
      const reply = takeEmbeddedReply(path);
      return reply === undefined ? undefined : read(reply as Reply);
    },
  });
