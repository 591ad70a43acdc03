/**
 * The order of a site's rows: they are moved by mouse, finger, keys or buttons. Saving makes a file of the records whose position changes, which is
 * shown and applied like any other.
 */

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { useEffect, useId, useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { CatalogueKind, CatalogueRecord } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useInfiniteQuery, useMutation, useQuery } from '../../shared/http/queries';
import { client } from '../api';
import { listPath } from '../paths';
import { Button } from '../ui/Button';
import { useDebounced } from '../ui/debounced';
import { DraftNotices, parsed, useDraft } from '../ui/drafts';
import { FormFault } from '../ui/fields';
import { icons } from '../ui/icons';
import { Screen } from '../ui/Screen';
import { Empty, Loaded, Loading, together } from '../ui/States';
import { useNavigateSaved, useUnsaved } from '../ui/unsaved';
import { words as common } from '../words';
import { kindsQuery, listQuery, rowsQuery } from './api';
import { hasAllPositions, hasPositions, linesOf, replayed, repositioned, type Step } from './arrange';
import './arrange.css';
import { uploadLines } from './imports';
import type { Place } from './types';
import { words } from './words';

const texts = words.arrange;

/** The most rows that are shown to be moved; one from behind them is brought by its name. */
const SHOWN = 1000;
/** Of the rows with a position, each has to be known, since their places move together. */
const MOST = 10_000;

export function ArrangeScreen() {
  const { catalogue = '', kind: name = '' } = useParams();
  const [query] = useSearchParams();
  const place: Place = { catalogue, kind: name, service: query.get('service') ?? '' };
  const kinds = useQuery(kindsQuery);
  const content = kinds.data?.find(each => each.catalogue === catalogue)?.content;
  const kind = content?.kinds.find(each => each.kind === name);
  // Of what visitors do not see, the order is no matter.
  const list = useInfiniteQuery(
    listQuery({ ...place, state: 'listed', sort: 'position', parent: '', q: '', missing: '' }),
  );
  const records = list.data?.pages.flatMap(page => page.records);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const isKnown = !hasNextPage || hasAllPositions(records ?? [], SHOWN);
  const isTooLong = !isKnown && (records?.length ?? 0) >= MOST;
  const isPartial = !isKnown && !isTooLong;
  useEffect(() => {
    if (isPartial && !isFetchingNextPage) void fetchNextPage();
  }, [isPartial, isFetchingNextPage, fetchNextPage]);
  return (
    <Screen
      title={texts.title({ kind: words.kindName(name) })}
      lead={texts.lead({ site: place.service })}
      actions={
        <Link className="button" to={listPath(place)}>
          {words.record.back}
        </Link>
      }
    >
      {kind && records && !isPartial ? (
        isTooLong ? (
          <p className="notice">{texts.tooMany({ count: MOST })}</p>
        ) : records.length > 1 && hasPositions(kind) ? (
          <Rows
            kind={kind}
            place={place}
            records={records}
            isBeginning={hasNextPage || records.length > SHOWN}
          />
        ) : (
          <Empty title={texts.few} />
        )
      ) : together(kinds, list).error ? (
        <Loaded query={{ ...together(kinds, list), data: undefined }} />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

type RowsProps = {
  kind: CatalogueKind;
  place: Place;
  records: CatalogueRecord[];
  /** Whether more rows follow than are shown. */
  isBeginning: boolean;
};

function Rows({ kind, place, records, isBeginning }: RowsProps) {
  const leadOn = useNavigateSaved();
  // Rows that are read later do not move others under the pointer.
  const [begun] = useState(records);
  const [steps, setSteps] = useState<Step[]>([]);
  const order = useMemo(() => replayed(begun, steps), [begun, steps]);
  const [announced, setAnnounced] = useState('');
  const [fault, setFault] = useState('');
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: unknown) => order.findIndex(record => record.id === id);
  const titleOf = (id: unknown) => order[placeOf(id)]?.title ?? '';
  const shown = order.slice(0, SHOWN);
  const changed = repositioned(begun, order);
  const draft = useDraft({
    name: ['order', ...Object.values(place)].join(' '),
    collect: () => (changed.length > 0 ? JSON.stringify({ steps }) : null),
    restore: text => setSteps((parsed(text)?.steps ?? []) as Step[]),
    clear: () => setSteps([]),
  });
  useUnsaved(changed.length > 0, draft.isKept);
  const saving = useMutation({
    mutationFn: () => {
      const name = texts.file({ kind: words.kindName(kind.kind) });
      return uploadLines(place, `${name}.jsonl`, linesOf(kind, place, changed));
    },
    onSuccess: address => {
      void draft.sent(draft.collect());
      leadOn(address);
    },
    onError: error => setFault(messageOf(error, common.common.failed)),
  });
  const step = (id: number | undefined, to: number) => {
    if (id !== undefined) setSteps([...steps, { id, to }]);
  };
  const move = (from: number, to: number) => {
    const title = order[from]?.title ?? '';
    step(order[from]?.id, to);
    setAnnounced(texts.moved({ title, place: to + 1, count: shown.length }));
  };
  const bring = (row: CatalogueRecord, to: number) => {
    setSteps([...steps, { id: row.id, to, row }]);
    setAnnounced(texts.moved({ title: row.title || row.slug, place: to + 1, count: shown.length }));
  };
  const drop = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id)];
    if (to >= 0 && from !== to) step(order[from]?.id, to);
  };
  const at = (id: unknown, over: unknown) => ({
    title: titleOf(id),
    place: placeOf(over) + 1,
    count: shown.length,
  });
  const announcements: Announcements = {
    onDragStart: ({ active }) => texts.lifted(at(active.id, active.id)),
    onDragOver: ({ active, over }) => texts.over(at(active.id, over?.id ?? active.id)),
    onDragEnd: ({ active, over }) => texts.moved(at(active.id, over?.id ?? active.id)),
    onDragCancel: ({ active }) => texts.cancelled({ title: titleOf(active.id) }),
  };
  return (
    <div className="stack">
      <DraftNotices draft={draft} isTyped={changed.length > 0} />
      <p className="muted">{texts.hint}</p>
      {isBeginning && <Bring place={place} count={shown.length} bring={bring} />}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements, screenReaderInstructions: { draggable: texts.hint } }}
        onDragEnd={drop}
      >
        <SortableContext items={shown} strategy={verticalListSortingStrategy}>
          <ol className="arranged">
            {shown.map((record, place) => (
              <Row key={record.id} record={record} place={place} count={shown.length} move={move} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="sr" role="status">
        {announced}
      </p>
      <FormFault>{fault}</FormFault>
      <div className="actions">
        <Button
          tone="primary"
          disabled={changed.length === 0 || saving.isPending}
          onClick={() => saving.mutate()}
        >
          {texts.save}
        </Button>
        <Button disabled={changed.length === 0} onClick={() => void draft.throwAway()}>
          {texts.reset}
        </Button>
      </div>
    </div>
  );
}

type BringProps = { place: Place; count: number; bring: (row: CatalogueRecord, to: number) => void };

/** Puts a row from behind those that are shown at one of their places. */
function Bring({ place, count, bring }: BringProps) {
  const id = useId();
  const [slug, setSlug] = useState('');
  const [to, setTo] = useState('1');
  const [fault, setFault] = useState('');
  const { data: choices = [] } = useQuery(rowsQuery(place, useDebounced(slug.replaceAll('-', ' ').trim())));
  const finding = useMutation({
    mutationFn: (key: string) => client.fetchQuery(rowsQuery(place, key)),
    onError: error => setFault(messageOf(error, common.common.failed)),
  });
  const submit = async () => {
    const [key, at] = [slug.trim(), Number(to)];
    if (!Number.isInteger(at) || at < 1 || at > count) return setFault(texts.bringFault({ count }));
    const row = key && (await finding.mutateAsync(key)).find(each => each.slug === key);
    if (!row) return setFault(texts.bringUnknown);
    setFault('');
    setSlug('');
    bring(row, at - 1);
  };
  return (
    <section className="panel stack" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{texts.bring}</h2>
      <p className="muted">{texts.most({ count })}</p>
      <form
        className="bring"
        onSubmit={event => {
          event.preventDefault();
          submit().catch(() => undefined);
        }}
      >
        <div className="field grow">
          <label htmlFor={`${id}-row`}>{texts.bringSlug}</label>
          <input
            id={`${id}-row`}
            list={`${id}-rows`}
            value={slug}
            autoComplete="off"
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => setSlug(target.value)}
          />
          <p className="hint" id={`${id}-hint`}>
            {texts.bringHint}
          </p>
          <datalist id={`${id}-rows`}>
            {choices.map(row => (
              <option key={row.slug} value={row.slug}>
                {row.title}
              </option>
            ))}
          </datalist>
        </div>
        <div className="field">
          <label htmlFor={`${id}-place`}>{texts.bringPlace}</label>
          <input
            id={`${id}-place`}
            className="bring-place"
            inputMode="numeric"
            autoComplete="off"
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
        <Button type="submit" disabled={finding.isPending}>
          {texts.bringSubmit}
        </Button>
      </form>
      <FormFault>{fault}</FormFault>
    </section>
  );
}

type RowProps = {
  record: CatalogueRecord;
  place: number;
  count: number;
  move: (from: number, to: number) => void;
};

function Row({ record: { id, title, slug }, place, count, move }: RowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id });
  const name = title || slug;
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'arranged-row lifted' : 'arranged-row'}
      // Rows move up and down alone.
      style={{ transition, ...(transform && { transform: `translateY(${Math.round(transform.y)}px)` }) }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className="handle"
        {...attributes}
        {...listeners}
        aria-label={texts.handle({ title: name })}
      >
        {icons.handle}
      </button>
      <span className="muted place">{place + 1}</span>
      <span className="strong grow name">{name}</span>
      <Button
        disabled={place === 0}
        aria-label={texts.upOf({ title: name })}
        onClick={() => move(place, place - 1)}
      >
        {texts.up}
      </Button>
      <Button
        disabled={place === count - 1}
        aria-label={texts.downOf({ title: name })}
        onClick={() => move(place, place + 1)}
      >
        {texts.down}
      </Button>
    </li>
  );
}
