/** Calls whose replies are the same for every visitor, and those about the visitor's session. A query's key is its address. */
import { type Address, get } from './client';
import { ownReply, takeEmbeddedReply } from './embedded-replies';
import { queryOptions, STALE } from './query-client';

/** One call; `read` selects data from its reply. An embedded reply is available in the first rendering and counts as fresh. */
export const catalogueQuery = <Reply, Data = Reply>(
  address: Address<Reply>,
  read = (reply: Reply): Data => reply as unknown as Data,
) =>
  queryOptions({
    queryKey: [address],
    queryFn: async () => read(await get(address)),
    initialData: (): Data | undefined => {
      const reply = takeEmbeddedReply(address);
      return reply === undefined ? undefined : read(reply as Reply);
    },
  });

/** A call about the visitor's session. */
export const ownQuery = <Reply>(address: Address<Reply>) =>
  queryOptions({
    queryKey: [address],
    queryFn: () => get(address),
    staleTime: STALE.MINUTE,
    // Replies are no functions, which the type of this option excludes.
    placeholderData: (() => ownReply(address) ?? undefined) as () => undefined,
  });
