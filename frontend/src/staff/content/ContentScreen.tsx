/** Everything that the sites have: lists by site and kind, with search, filters and chosen columns. */

import { useState } from 'react';
import { Link } from 'react-router';
import type {
  CatalogueKind,
  CatalogueRecord,
  CatalogueView,
  RecordVisibility,
} from '../../shared/contract/staff';
import { useInfiniteQuery, useQuery } from '../../shared/http/queries';
import { dateTime } from '../format';
import { arrangePath, importFilePath, newRecordPath, recordPath } from '../paths';
import { Choice, type Option } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { useFilter, useSearchField } from '../ui/filter';
import { Screen } from '../ui/Screen';
import { Empty, Loaded, More } from '../ui/States';
import { words as common } from '../words';
import { kindsQuery, listQuery, missingQuery } from './api';
import { hasPositions } from './arrange';
import { COUNTED, SelectionBar } from './BulkEdit';
import { useColumns } from './columns';
import { iso } from './fields';
import { exportAddress } from './imports';
import { pictureOf, Thumbnail } from './RecordMedia';
import { selectByKey, useSelection } from './selection';
import type { ListFilter, Place } from './types';
import { VISIBILITIES } from './types';
import { UndoNotice } from './UndoNotice';
import { languageName, words } from './words';

const texts = words.list;
const { files } = common;

const BADGES: Record<RecordVisibility, string> = {
  listed: 'good',
  scheduled: 'warm',
  expired: '',
  unlisted: '',
  deleted: 'bad',
};

export function VisibilityBadges({ record: { visibility, held } }: { record: CatalogueRecord }) {
  return (
    <span className="badges">
      <span className={`badge ${BADGES[visibility]}`}>{words.visibilities[visibility]}</span>
      {held && <span className="badge bad">{texts.held}</span>}
    </span>
  );
}

export function ContentScreen() {
  const kinds = useQuery(kindsQuery);
  if (kinds.data) return <Lists catalogues={kinds.data} />;
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={kinds} />
    </Screen>
  );
}

/** The site and kind of the address; without one, the first. */
function usePlaceFilter(catalogues: CatalogueView[]) {
  const filter = useFilter();
  const sites = catalogues.flatMap(({ catalogue, content }) =>
    (content?.services ?? []).map(service => ({ catalogue, service, kinds: content?.kinds ?? [] })),
  );
  const site = sites.find(({ service }) => service === filter.get('service')) ?? sites[0];
  const kind = site?.kinds.find(({ kind: name }) => name === filter.get('kind')) ?? site?.kinds[0];
  return { sites, site, kind, filter };
}

function Lists({ catalogues }: { catalogues: CatalogueView[] }) {
  const { sites, site, kind, filter } = usePlaceFilter(catalogues);
  const { get, set } = filter;
  const silent = catalogues.filter(({ content }) => content === null).map(({ catalogue }) => catalogue);
  const { q, field, clear } = useSearchField(filter);
  const filterOf = (
    { catalogue, service }: { catalogue: string; service: string },
    { kind: name }: CatalogueKind,
  ) => ({
    catalogue,
    service,
    kind: name,
    state: get('state'),
    parent: get('parent'),
    sort: get('sort'),
    missing: get('missing'),
    q,
  });
  const leave = (changed: Record<string, string>) => {
    clear();
    const sort = get('sort') === 'position' ? '' : get('sort');
    set({ ...changed, sort, state: '', parent: '', q: '', missing: '' });
  };
  return (
    <Screen
      title={texts.title}
      lead={texts.lead}
      actions={
        site &&
        kind && (
          <>
            <a className="button" href={exportAddress(filterOf(site, kind))} download>
              {files.list.export}
            </a>
            <Link className="button" to={importFilePath(site.service)}>
              {files.list.import}
            </Link>
            {hasPositions(kind) && (
              <Link className="button" to={arrangePath({ ...site, kind: kind.kind })}>
                {words.arrange.open}
              </Link>
            )}
            <Link className="button primary" to={newRecordPath({ ...site, kind: kind.kind })}>
              {texts.add({ kind: words.oneOf(kind.kind) })}
            </Link>
          </>
        )
      }
    >
      <UndoNotice />
      {silent.length > 0 && (
        <p className="notice bad" role="status">
          {texts.silent({ catalogues: silent.join(', ') })}
        </p>
      )}
      <div className="filters">
        <Choice
          label={texts.service}
          value={site?.service ?? ''}
          options={sites.map(({ service }) => [service, service])}
          onChange={service => leave({ service, kind: '' })}
        />
        <Choice
          label={texts.kind}
          value={kind?.kind ?? ''}
          options={site?.kinds.map(({ kind: name }) => [name, words.kindName(name)]) ?? []}
          onChange={name => leave({ kind: name })}
        />
        <Choice
          label={texts.state}
          value={get('state')}
          options={[
            ['', texts.anyState],
            ...VISIBILITIES.map((each): Option => [each, words.visibilities[each]]),
          ]}
          onChange={state => set({ state })}
        />
        <Choice
          label={texts.sort}
          value={get('sort') || 'newest'}
          options={Object.entries(texts.sorts).filter(
            ([sort]) => sort !== 'position' || (kind && hasPositions(kind)),
          )}
          onChange={sort => set({ sort: sort === 'newest' ? '' : sort })}
        />
        {site && kind?.fields.some(({ translation }) => translation) && (
          <MissingChoice
            place={{ catalogue: site.catalogue, service: site.service, kind: kind.kind }}
            value={get('missing')}
            onChange={missing => set({ missing })}
          />
        )}
        <label className="inline grow">
          {texts.search}
          <input {...field} maxLength={100} aria-keyshortcuts="/" placeholder={texts.searchHint} />
        </label>
        {kind?.parent && get('parent') !== '' && (
          <button type="button" className="chip" onClick={() => set({ parent: '' })}>
            {texts.parent({ kind: words.oneOf(kind.parent) })} {get('parent')} ×
          </button>
        )}
      </div>
      {site && kind && (
        <List key={`${site.service} ${kind.kind}`} kind={kind} filter={filterOf(site, kind)} />
      )}
    </Screen>
  );
}

type MissingProps = { place: Place; value: string; onChange: (value: string) => void };

/** Which language the records shown lack, with the number of those that lack it. */
function MissingChoice({ place, ...choice }: MissingProps) {
  const { data } = useQuery(missingQuery(place));
  const options = (data?.languages ?? []).map(
    ({ language, missing }): Option => [
      language,
      texts.missing({ language: languageName(language), count: missing }),
    ],
  );
  // Before the numbers are there, the language of the address is.
  const isListed = choice.value === '' || options.some(([code]) => code === choice.value);
  const chosen: Option[] = isListed ? [] : [[choice.value, languageName(choice.value)]];
  return (
    <Choice
      {...choice}
      label={texts.translations}
      options={[['', texts.anyTranslation], ...options, ...chosen]}
    />
  );
}

function List({ kind, filter }: { kind: CatalogueKind; filter: ListFilter }) {
  const list = useInfiniteQuery(listQuery(filter));
  const [chosen, choose] = useColumns(kind);
  const [columnsOpen, setColumnsOpen] = useState(false);
  const records = list.data?.pages.flatMap(page => page.records);
  const count = list.data?.pages[0]?.total ?? null;
  const more = kind.fields.filter(({ name }) => name !== kind.title);
  const selection = useSelection<CatalogueRecord>();
  const hasPicture = kind.fields.some(({ form }) => form === 'Image');
  const columns: Column<CatalogueRecord>[] = [
    {
      id: 'select',
      header: files.list.select,
      cell: record => (
        <input
          type="checkbox"
          data-select
          aria-label={files.list.selectOne({ title: record.title || record.slug })}
          checked={selection.has(record)}
          onChange={event => selection.set([record], event.target.checked)}
        />
      ),
    },
    {
      id: 'title',
      header: texts.name,
      kind: 'wide',
      cell: ({ slug, title, record }) => (
        <div className="pictured">
          {hasPicture && <Thumbnail address={pictureOf(kind, record)} />}
          <Link to={recordPath(filter, slug)} data-item className="strong">
            {title || slug}
          </Link>
        </div>
      ),
    },
    { id: 'visibility', header: texts.state, cell: record => <VisibilityBadges record={record} /> },
    ...more.filter(({ name }) => chosen.includes(name)).map(fieldColumn),
  ];
  if (!records) return <Loaded query={list} />;
  return (
    <>
      <details
        className="columns"
        open={columnsOpen}
        onToggle={event => setColumnsOpen(event.currentTarget.open)}
      >
        <summary>{texts.columns}</summary>
        <div className="chips">
          {more.map(({ name }) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={event =>
                  choose(event.target.checked ? [...chosen, name] : chosen.filter(each => each !== name))
                }
              />
              {words.fieldName(name)}
            </label>
          ))}
        </div>
      </details>
      {records.length > 0 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the key is a shortcut for the rows' own checkboxes.
        <div className="stack tight selectable" onKeyDown={selectByKey}>
          <SelectionBar kind={kind} filter={filter} shown={records} count={count} selection={selection} />
          {count !== null && (
            <p className="muted small">
              {count > COUNTED ? texts.moreThan({ count: COUNTED }) : texts.total({ count })}
            </p>
          )}
          <DataTable
            label={words.kindName(kind.kind)}
            columns={columns}
            rows={records}
            keyOf={({ id }) => String(id)}
          />
        </div>
      ) : (
        <Empty
          title={filter.q || filter.state || filter.parent || filter.missing ? texts.filtered : texts.empty}
        />
      )}
      <More list={list}>{texts.more}</More>
    </>
  );
}

const fieldColumn = ({ name, form }: CatalogueKind['fields'][number]): Column<CatalogueRecord> => ({
  id: name,
  header: words.fieldName(name),
  kind: form === 'Count' ? 'sum' : 'wide',
  cell: ({ record }) => {
    const value = record[name];
    if (value === null || value === undefined) return '';
    return form === 'DateTime' ? (
      <span className="nowrap">{dateTime(iso(String(value)))}</span>
    ) : (
      String(value)
    );
  },
});
