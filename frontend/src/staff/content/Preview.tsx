/** A link that shows on the brand's site what is not public yet. */

import { useState } from 'react';
import type { PreviewLink } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { dateTime } from '../format';
import { CopyText } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { words as common } from '../words';
import { words } from './words';

const texts = words.preview;

/** Makes the link, and shows it. */
export function PreviewButton({ make }: { make: () => Promise<PreviewLink> }) {
  const [link, setLink] = useState<PreviewLink>();
  const making = useMutation({
    mutationFn: make,
    onSuccess: setLink,
    onError: error => notify(messageOf(error, common.common.failed)),
  });
  return (
    <>
      <button type="button" className="button" disabled={making.isPending} onClick={() => making.mutate()}>
        {texts.make}
      </button>
      {link && (
        <Dialog title={texts.title} onClose={() => setLink(undefined)}>
          <div className="stack">
            <p>{texts.until({ time: dateTime(link.until) })}</p>
            <CopyText label={texts.link} text={link.url} />
            <div className="dialog-actions">
              <button type="button" className="button" onClick={() => setLink(undefined)}>
                {common.common.close}
              </button>
              <a className="button primary" href={link.url} target="_blank" rel="noreferrer">
                {texts.open}
              </a>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
