/** After a file was applied: the way back, which is the import of another file. */
import { useLocation, useNavigate } from 'react-router';
import { useMutation } from '../../shared/http/queries';
import { Button } from '../ui/Button';
import { notifyFailure } from '../ui/failure';
import { words } from '../words';
import { uploadLines } from './imports';
import type { Undo } from './undo';

const texts = words.files.undo;

export function UndoNotice() {
  const navigate = useNavigate();
  const undo = (useLocation().state as { undo?: Undo } | null)?.undo;
  const undoing = useMutation({
    mutationFn: ({ name, text, ...place }: Undo) => uploadLines(place, name, text),
    onSuccess: address => navigate(address),
    onError: notifyFailure,
  });
  if (!undo) return null;
  return (
    <p className="notice good actions" role="status">
      {texts.text}
      <Button disabled={undoing.isPending} onClick={() => undoing.mutate(undo)}>
        {texts.undo}
      </Button>
    </p>
  );
}
