/** A link that shows on the brand's site what is not public yet. */

import { useState } from 'react';
import type { PreviewLink } from '../../shared/contract/staff';
import { useMutation } from '../../shared/http/queries';
import { dateTime } from '../format';
import { Button } from '../ui/Button';
import { CopyText } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { notifyFailure } from '../ui/failure';
import { words as common } from '../words';
import { words } from './words';

const texts = words.preview;

/** Makes the link, and shows it. */
export function PreviewButton({ make }: { make: () => Promise<PreviewLink> }) {
  const [link, setLink] = useState<PreviewLink>();
  const making = useMutation({
    mutationFn: make,
    onSuccess: setLink,
    onError: notifyFailure,
  });
  return (
    <>
      <Button disabled={making.isPending} onClick={() => making.mutate()}>
        {texts.make}
      </Button>
      {link && (
        <Dialog title={texts.title} onClose={() => setLink(undefined)}>
          <div className="stack">
            <p>{texts.until({ time: dateTime(link.until) })}</p>
            <CopyText label={texts.link} text={link.url} />
            <div className="dialog-actions">
              <Button onClick={() => setLink(undefined)}>{common.common.close}</Button>
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
