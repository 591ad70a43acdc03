/**
 * The text of a record's form. It begins on a version of the record and stays until the person saves or gives it up: a version that is read later
 * fills the form only while nothing is typed.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import type { CatalogueKind, CatalogueRecord, Draft } from '../../shared/contract/staff';
import { getSessionItem, setSessionItem } from '../../shared/session-storage';
import { useChecked } from '../forms';
import { useStaff } from '../staff';
import { type Difference, differences, formOf, inputOf, valuesOf } from './fields';
import type { Fields, Place } from './types';

type Values = Record<string, string>;

/** What a form begins on: the record, and the version of its draft; null without one. */
const Version = z.object({ record: z.record(z.string(), z.unknown()), draft: z.number().nullable() });
type Version = z.infer<typeof Version>;

/** What was typed when the session ended. */
const Kept = z.object({ begun: Version, typed: z.record(z.string(), z.string()) });
type Kept = z.infer<typeof Kept>;

const versionOf = (draft: Draft | null, live: CatalogueRecord | null): Version => ({
  record: draft?.record ?? live?.record ?? {},
  draft: draft?.version ?? null,
});

/** The fields whose value in the form changes between two versions. */
function movesOf(kind: CatalogueKind, from: Fields, to: Fields): Difference[] {
  const [one, other] = [valuesOf(kind, from), valuesOf(kind, to)];
  return differences(kind, from, to).filter(
    ({ field }) => one[inputOf(field.name)] !== other[inputOf(field.name)],
  );
}

/** The values in which a form differs from another. */
const changed = (values: Values, from: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, text]) => text !== from[name]));

type Read = { draft: Draft | null; live: CatalogueRecord | null };

export function useRecordForm(kind: CatalogueKind, place: Place, slug: string, { draft, live }: Read) {
  const key = ['typed', useStaff().id, ...Object.values(place), slug].join(' ');
  const [restored] = useState(() => keptAt(key));
  const read = versionOf(draft, live);
  const [begun, setBegun] = useState(restored?.begun ?? read);
  const form = useChecked(formOf(kind), valuesOf(kind, begun.record));
  const { isDirty } = form.formState;
  const typed = () => changed(form.getValues(), valuesOf(kind, begun.record));
  /** The form has the version, and over it what is typed. */
  const begin = (version: Version, typed: Values) => {
    form.reset(valuesOf(kind, version.record));
    for (const [name, text] of Object.entries(typed)) form.setValue(name, text, { shouldDirty: true });
    setBegun(version);
  };
  const moves = movesOf(kind, begun.record, read.record);
  const onRead = useEffectEvent(() => {
    if (moves.length === 0 || Object.keys(typed()).length === 0) begin(read, typed());
  });
  const onStart = useEffectEvent(() => restored && begin(restored.begun, restored.typed));
  // Before `onRead`, which would take the form for empty.
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the fields are react-hook-form's, which an effect sets
    onStart();
    setSessionItem(key, '');
  }, [key]);
  // What is read keeps its identity until it changes.
  // eslint-disable-next-line react-hooks/set-state-in-effect -- as above
  useEffect(() => onRead(), [draft, live]);
  return {
    form,
    /** The version of the draft that a save replaces. */
    version: begun.draft,
    /** What changed in the record since the form was begun; empty while nothing is typed. */
    moves: isDirty ? moves : [],
    /** Whether the form has what was typed before the session ended. */
    isRestored: isDirty && restored !== undefined,
    /** Goes on from what is there now, with or without what is typed. */
    goOn: (withTyped: boolean) => begin(read, withTyped ? typed() : {}),
    /** After the values were saved as a draft: what was typed meanwhile stays. */
    onSaved: (saved: Draft, values: Values) =>
      begin(versionOf(saved, live), changed(form.getValues(), values)),
    /** Where the session ends. */
    keep: () => setSessionItem(key, JSON.stringify({ begun, typed: typed() } satisfies Kept)),
  };
}

/** Nothing where an earlier release of the application has left it in another form. */
function keptAt(key: string): Kept | undefined {
  const text = getSessionItem(key);
  return text === '' ? undefined : Kept.safeParse(JSON.parse(text)).data;
}
