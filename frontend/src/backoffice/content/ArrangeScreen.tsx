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
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { messageOf } from '../../api/problem';
import { useInfiniteQuery, useMutation, useQuery } from '../../api/query-client';
import { importPath, listPath } from '../paths';
import { FormFault } from '../ui/fields';
import { icons } from '../ui/icons';
import { Screen } from '../ui/Screen';
import { Empty, Failure, Loading } from '../ui/States';
import { words as common } from '../words';
import { kindsQuery, listQuery } from './api';
import { hasPositions, linesOf, moved, repositioned } from './arrange';
import './arrange.css';
import { uploadFile } from './imports';
import type { CatalogueRecord, Kind, Place } from './types';
import { words } from './words';

const texts = words.arrange;

/** The most rows that are arranged. */
const MOST = 1000;

export default function ArrangeScreen() {
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
  const isPartial = hasNextPage && (records?.length ?? 0) < MOST;
  useEffect(() => {
    if (isPartial && !isFetchingNextPage) void fetchNextPage();
  }, [isPartial, isFetchingNextPage, fetchNextPage]);
  const { error } = kinds.error ? kinds : list;
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
        records.length > 1 && hasPositions(kind) ? (
          <>
            <Rows kind={kind} place={place} records={records} />
            {hasNextPage && <p className="muted">{texts.most({ count: MOST })}</p>}
          </>
        ) : (
          <Empty title={texts.few} />
        )
      ) : error ? (
        <Failure
          error={error}
          retry={() => {
            void kinds.refetch();
            void list.refetch();
          }}
        />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

type RowsProps = { kind: Kind; place: Place; records: CatalogueRecord[] };

function Rows({ kind, place, records }: RowsProps) {
  const navigate = useNavigate();
  const [order, setOrder] = useState(records);
  const [announced, setAnnounced] = useState('');
  const [fault, setFault] = useState('');
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: unknown) => order.findIndex(record => record.id === id);
  const titleOf = (id: unknown) => order[placeOf(id)]?.title ?? '';
  const changed = repositioned(records, order);
  const saving = useMutation({
    mutationFn: () => {
      const name = texts.file({ kind: words.kindName(kind.kind) });
      return uploadFile(place, new File([linesOf(kind, place, changed)], `${name}.jsonl`), false);
    },
    onSuccess: ({ import: made, problems: [problem] }) => {
      if (made !== null) void navigate(importPath(place.catalogue, made));
      else setFault(problem ? `${problem.field ?? ''} ${problem.message}` : common.common.failed);
    },
    onError: error => setFault(messageOf(error, common.common.failed)),
  });
  const move = (from: number, to: number) => {
    const title = order[from]?.title ?? '';
    setOrder(moved(order, from, to));
    setAnnounced(texts.moved({ title, place: to + 1, count: order.length }));
  };
  const drop = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id)];
    if (to >= 0 && from !== to) setOrder(moved(order, from, to));
  };
  const at = (id: unknown, over: unknown) => ({
    title: titleOf(id),
    place: placeOf(over) + 1,
    count: order.length,
  });
  const announcements: Announcements = {
    onDragStart: ({ active }) => texts.lifted(at(active.id, active.id)),
    onDragOver: ({ active, over }) => texts.over(at(active.id, over?.id ?? active.id)),
    onDragEnd: ({ active, over }) => texts.moved(at(active.id, over?.id ?? active.id)),
    onDragCancel: ({ active }) => texts.cancelled({ title: titleOf(active.id) }),
  };
  return (
    <div className="stack">
      <p className="muted">{texts.hint}</p>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements, screenReaderInstructions: { draggable: texts.hint } }}
        onDragEnd={drop}
      >
        <SortableContext items={order} strategy={verticalListSortingStrategy}>
          <ol className="arranged">
            {order.map((record, place) => (
              <Row key={record.id} record={record} place={place} count={order.length} move={move} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="sr" role="status">
        {announced}
      </p>
      <FormFault>{fault}</FormFault>
      <div className="actions">
        <button
          type="button"
          className="button primary"
          disabled={changed.length === 0 || saving.isPending}
          onClick={() => saving.mutate()}
        >
          {texts.save}
        </button>
        <button
          type="button"
          className="button"
          disabled={changed.length === 0}
          onClick={() => setOrder(records)}
        >
          {texts.reset}
        </button>
      </div>
    </div>
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
      <button
        type="button"
        className="button"
        disabled={place === 0}
        aria-label={texts.upOf({ title: name })}
        onClick={() => move(place, place - 1)}
      >
        {texts.up}
      </button>
      <button
        type="button"
        className="button"
        disabled={place === count - 1}
        aria-label={texts.downOf({ title: name })}
        onClick={() => move(place, place + 1)}
      >
        {texts.down}
      </button>
    </li>
  );
}
