/** One record: its fields as a form, its draft and what that changes, taking it down, and its history. */
import type { ReactNode } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { isStatus } from '../../shared/http/problem';
import { useQuery } from '../../shared/http/queries';
import { listPath } from '../paths';
import { has } from '../roles';
import { useStaff } from '../staff';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { kindsQuery, previewRecord, recordQuery } from './api';
import { blankOf } from './blank';
import { VisibilityBadges } from './ContentScreen';
import { History } from './History';
import { PreviewButton } from './Preview';
import { RecordForm } from './RecordForm';
import { StateActions } from './StateActions';
import type { Place } from './types';
import { words } from './words';

const texts = words.record;

/** The record that the address names; its kind comes from the service. */
function usePlace() {
  const { catalogue = '', kind: name = '', slug = '' } = useParams();
  const [query] = useSearchParams();
  const place: Place = { catalogue, kind: name, service: query.get('service') ?? '' };
  const kinds = useQuery(kindsQuery);
  const content = kinds.data?.find(each => each.catalogue === catalogue)?.content;
  return { place, slug, kinds, kind: content?.kinds.find(({ kind }) => kind === name) };
}

export function NewRecordScreen() {
  const { place, kinds, kind } = usePlace();
  // A film that was chosen among the uploads.
  const state: unknown = useLocation().state;
  return (
    <Screen
      title={texts.newTitle({ kind: words.oneOf(place.kind) })}
      lead={place.service}
      actions={<Back place={place} />}
    >
      {kind ? (
        <RecordForm kind={kind} place={place} slug="" draft={null} live={null} blank={blankOf(kind, state)} />
      ) : (
        <Waiting query={kinds} />
      )}
    </Screen>
  );
}

export function RecordScreen() {
  const { place, slug, kinds, kind } = usePlace();
  const record = useQuery(recordQuery(place, slug));
  const publisher = has(useStaff(), 'publisher');
  if (!kind || !record.data)
    return (
      <Screen title={slug} actions={<Back place={place} />}>
        {kind && isStatus(record.error, 404) ? (
          <Empty title={words.list.filtered} />
        ) : (
          <Waiting query={kind ? record : kinds} />
        )}
      </Screen>
    );
  const { live, draft, events, is_complete: isComplete, kept_months: months } = record.data;
  const shown = draft?.record ?? live?.record ?? {};
  return (
    <Screen
      title={String(shown[kind.title] ?? slug)}
      lead={
        <span className="badges">
          {place.service}
          {live ? <VisibilityBadges record={live} /> : <span className="badge">{texts.unpublished}</span>}
        </span>
      }
      actions={
        <>
          <Back place={place} />
          <PreviewButton make={() => previewRecord(place, slug)} />
          {publisher && live && <StateActions place={place} live={live} />}
        </>
      }
    >
      <RecordForm
        key={`${place.service} ${slug}`}
        kind={kind}
        place={place}
        slug={slug}
        draft={draft}
        live={live}
      />
      <History
        kind={kind}
        place={place}
        slug={slug}
        events={events}
        live={live}
        canUndo={!draft}
        cutMonths={isComplete ? 0 : months}
      />
    </Screen>
  );
}

function Back({ place }: { place: Place }) {
  return (
    <Link className="button" to={listPath(place)}>
      {texts.back}
    </Link>
  );
}

function Waiting({ query }: { query: { error: unknown; refetch: () => unknown } }): ReactNode {
  return <Loaded query={{ ...query, data: undefined }} />;
}
