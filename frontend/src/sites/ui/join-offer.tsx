/** The dialog for visitors who cannot like yet. Its code is loaded when it opens. */
import { type ComponentType, type ReactNode, useState } from 'react';
import { paths } from '../paths';

type Props = { onClose: () => void };

export function useJoinOffer(): { dialog: ReactNode; offer: () => void } {
  const [Dialog, setDialog] = useState<ComponentType<Props>>();
  return {
    dialog: Dialog && <Dialog onClose={() => setDialog(undefined)} />,
    offer: () =>
      import(/* webpackChunkName: "join-offer" */ './JoinOffer').then(
        ({ JoinOffer }) => setDialog(() => JoinOffer),
        error => {
          console.info('No dialog', error);
          window.location.assign(paths.join());
        },
      ),
  };
}
