/** After a file was applied: the way back, which is the import of another file. */
import { useLocation, useNavigate } from 'react-router';
import { messageOf } from '../../shared/http/problem';
import { useMutation } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { importPath } from '../paths';
import { words } from '../words';
import { uploadFile } from './imports';
import type { Undo } from './undo';

const texts = words.files.undo;

export function UndoNotice() {
  const navigate = useNavigate();
  const undo = (useLocation().state as { undo?: Undo } | null)?.undo;
  const undoing = useMutation({
    mutationFn: ({ catalogue, service, name, text }: Undo) =>
      uploadFile({ catalogue, service }, new File([text], name), false).then(({ import: made }) => {
        if (made !== null) return navigate(importPath(catalogue, made));
        throw new Error('The file has problems.');
      }),
    onError: error => notify(messageOf(error, words.common.failed)),
  });
  if (!undo) return null;
  return (
    <p className="notice good actions" role="status">
      {texts.text}
      <button
        type="button"
        className="button"
        disabled={undoing.isPending}
        onClick={() => undoing.mutate(undo)}
      >
        {texts.undo}
      </button>
    </p>
  );
}
