/**
 * The text of a record's form. It begins on a version of the record and stays until the person saves or gives it up: a version that is read later
 * fills the form only while nothing is typed.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import type { CatalogueKind, CatalogueRecord, Draft } from '../../shared/contract/staff';
import { useChecked } from '../forms';
import { parsed, useDraft } from '../ui/drafts';
import { type Difference, differences, formOf, inputOf, valuesOf } from './fields';
import type { Fields, Place } from './types';

type Values = Record<string, string>;

/** What a form begins on: the record, and the version of its draft; null without one. */
const Version = z.object({ record: z.record(z.string(), z.unknown()), draft: z.number().nullable() });
type Version = z.infer<typeof Version>;

/** What is typed, and on what. */
const Typed = z.object({ begun: Version, typed: z.record(z.string(), z.string()) });
type Typed = z.infer<typeof Typed>;

const versionOf = ({ draft, live, blank = {} }: Read): Version => ({
  record: draft?.record ?? live?.record ?? blank,
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

type Read = { draft: Draft | null; live: CatalogueRecord | null; blank?: Fields | undefined };

/** What another person changed in the record since the form was begun, and what the form has in that field. */
export type Move = Difference & { typed: string | undefined };

export function useRecordForm(
  kind: CatalogueKind,
  place: Place,
  slug: string,
  { draft, live, blank: given }: Read,
) {
  // It has the time, and may not differ at each look.
  const [blank] = useState(given);
  const read = versionOf({ draft, live, blank });
  const [begun, setBegun] = useState(read);
  const form = useChecked(formOf(kind), valuesOf(kind, begun.record));
  const typedOn = (version: Version) => changed(form.getValues(), valuesOf(kind, version.record));
  const typed = () => typedOn(begun);
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
  // What is read keeps its identity until it changes.
  // eslint-disable-next-line react-hooks/set-state-in-effect -- the fields are react-hook-form's, which an effect sets
  useEffect(() => onRead(), [draft, live]);
  const kept = useDraft({
    name: ['record', ...Object.values(place), slug].join(' '),
    collect: () => {
      const values = typed();
      return Object.keys(values).length > 0 ? JSON.stringify({ begun, typed: values } satisfies Typed) : null;
    },
    restore: text => {
      const earlier = Typed.safeParse(parsed(text)).data;
      if (earlier) begin(earlier.begun, earlier.typed);
    },
    clear: () => begin(read, {}),
    subscribe: run => form.subscribe({ formState: { values: true }, callback: run }),
    isShared: slug !== '',
  });
  const values = typed();
  return {
    form,
    kept,
    /** The version of the draft that a save replaces. */
    version: begun.draft,
    /** Empty while nothing is typed. */
    moves: form.formState.isDirty
      ? moves.map((move): Move => ({ ...move, typed: values[inputOf(move.field.name)] }))
      : [],
    /** Goes on from what is there now, with what is typed in all fields but these. */
    goOn: (without: string[]) =>
      begin(read, Object.fromEntries(Object.entries(typed()).filter(([name]) => !without.includes(name)))),
    /** After the values were saved as a draft: what was typed meanwhile stays. */
    onSaved: (saved: Draft, values: Values) =>
      begin(versionOf({ draft: saved, live }), changed(form.getValues(), values)),
  };
}
