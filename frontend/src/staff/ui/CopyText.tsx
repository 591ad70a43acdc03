/** Text to pass on, with a button that copies it. */
import { notify } from '../../shared/ui/notify';
import { words } from '../words';
import { Button } from './Button';

export function CopyText({ label, text, shown = text }: { label: string; text: string; shown?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      void notify(words.common.copied, 'done');
    } catch {
      // Outside of https the browser has no clipboard for scripts.
      void notify(words.common.copyFailed);
    }
  };
  return (
    <div className="copy">
      <code>{shown}</code>
      <Button aria-label={`${words.common.copy}: ${label}`} onClick={copy}>
        {words.common.copy}
      </Button>
    </div>
  );
}
