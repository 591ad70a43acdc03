/** What another person changed in a record while this one typed: both texts of a field are shown, and one is chosen. */
import { useState } from 'react';
import { Button } from '../ui/Button';
import { type Column, DataTable } from '../ui/DataTable';
import { inputOf } from './fields';
import { readable } from './History';
import type { Move } from './record-form';
import { words } from './words';

const texts = words.record;

type Props = { moves: Move[]; goOn: (without: string[]) => void };

export function Conflict({ moves, goOn }: Props) {
  /** The fields of which the other text is taken. */
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(theirs);
    if (isTheirs) next.add(name);
    else next.delete(name);
    setTheirs(next);
  };
  const choice = (move: Move, isTheirs: boolean, text: string) => {
    const name = inputOf(move.field.name);
    return (
      <label className="check">
        <input
          type="radio"
          name={`conflict ${name}`}
          checked={theirs.has(name) === isTheirs}
          onChange={() => choose(name, isTheirs)}
        />
        <span>{readable(move.field, text)}</span>
      </label>
    );
  };
  const columns: Column<Move>[] = [
    { id: 'field', header: texts.field, cell: ({ field }) => words.fieldName(field.name) },
    { id: 'begun', header: texts.begun, kind: 'wide', cell: ({ field, before }) => readable(field, before) },
    {
      id: 'theirs',
      header: texts.now,
      kind: 'wide',
      cell: move =>
        move.typed === undefined ? readable(move.field, move.after) : choice(move, true, move.after),
    },
    {
      id: 'mine',
      header: texts.mine,
      kind: 'wide',
      cell: move => (move.typed === undefined ? '–' : choice(move, false, move.typed)),
    },
  ];
  return (
    <div className="notice bad stack" role="alert">
      <p>{texts.changed}</p>
      <DataTable label={texts.changed} columns={columns} rows={moves} keyOf={({ field }) => field.name} />
      <div className="actions">
        <Button tone="primary" onClick={() => goOn([...theirs])}>
          {texts.goOn}
        </Button>
      </div>
    </div>
  );
}
