/** What is being prepared, and what waits for a publisher. */

import { useState } from 'react';
import { Link } from 'react-router';
import type { Draft } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { dateTime } from '../format';
import { importPath, recordPath } from '../paths';
import { Button } from '../ui/Button';
import { type Column, DataTable } from '../ui/DataTable';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { words as common } from '../words';
import { draftsQuery, kindsQuery } from './api';
import { waitingQuery } from './imports';
import { pictureOf, Thumbnail } from './RecordMedia';
import { ReleaseDialog } from './ReleaseDialog';
import { type Selection, selectByKey, useSelection } from './selection';
import { WaitingFiles } from './WaitingFiles';
import { words } from './words';

const texts = words.drafts;

const BADGES = { draft: '', review: 'warm', publishing: 'warm' };

/** By title and picture, where the kind of the draft is known; with the release that waits. */
type Row = Draft & { title: string; picture: string };

/** Whether a draft may go live with others: a submitted one, or one's own. */
const isReady = ({ state, mine }: Draft) => state === 'review' || (state === 'draft' && mine);

const COLUMNS: Column<Row>[] = [
  {
    id: 'what',
    header: texts.what,
    kind: 'wide',
    cell: draft => (
      <div className="pictured">
        <Thumbnail address={draft.picture} />
        <div>
          <Link to={recordPath(draft, draft.slug)} data-item className="strong">
            {draft.title}
          </Link>
          <span className="muted small block">
            {draft.service}, {words.kindName(draft.kind)}
          </span>
        </div>
      </div>
    ),
    sort: ({ title }) => title,
  },
  {
    id: 'state',
    header: texts.state,
    cell: ({ state, base, catalogue, release }) => (
      <span className="badges">
        <span className={`badge ${BADGES[state]}`}>{words.states[state]}</span>
        {base === null && <span className="badge good">{texts.isNew}</span>}
        {release !== null && (
          <Link className="badge" to={importPath(catalogue, release)}>
            {words.release.inRelease}
          </Link>
        )}
      </span>
    ),
    sort: ({ state }) => state,
  },
  { id: 'by', header: texts.by, kind: 'wide', cell: ({ by }) => by, sort: ({ by }) => by },
  {
    id: 'at',
    header: texts.at,
    cell: ({ at }) => <span className="nowrap">{dateTime(at)}</span>,
    sort: ({ at }) => at,
  },
];

const selectColumn = (selection: Selection<Row>): Column<Row> => ({
  id: 'select',
  header: common.files.list.select,
  cell: draft =>
    isReady(draft) && (
      <input
        type="checkbox"
        data-select
        aria-label={common.files.list.selectOne({ title: draft.title })}
        checked={selection.has(draft)}
        onChange={event => selection.set([draft], event.target.checked)}
      />
    ),
});

export function DraftsScreen() {
  const drafts = useQuery(draftsQuery);
  const { data: files = [] } = useQuery(waitingQuery);
  const selection = useSelection<Row>();
  const { data: catalogues = [] } = useQuery(kindsQuery);
  const rowOf = (draft: Draft): Row => {
    const kinds = catalogues.find(({ catalogue }) => catalogue === draft.catalogue)?.content?.kinds;
    const kind = kinds?.find(({ kind: name }) => name === draft.kind);
    const title = kind && draft.record[kind.title];
    return {
      ...draft,
      title: title ? String(title) : draft.slug,
      // A release that was not published within a day waits no more.
      release: files.some(file => file.catalogue === draft.catalogue && file.import.id === draft.release)
        ? draft.release
        : null,
      picture: kind ? pictureOf(kind, draft.record) : '',
    };
  };
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={drafts}>
        {data =>
          data.length > 0 ? (
            // biome-ignore lint/a11y/noStaticElementInteractions: the key is a shortcut for the rows' own checkboxes.
            <div className="stack tight selectable" onKeyDown={selectByKey}>
              <Chosen drafts={data.map(rowOf).filter(selection.has)} onClear={selection.clear} />
              <DataTable
                label={texts.title}
                columns={[selectColumn(selection), ...COLUMNS]}
                rows={data.map(rowOf)}
                keyOf={({ id }) => String(id)}
              />
            </div>
          ) : (
            <Empty title={texts.empty} />
          )
        }
      </Loaded>
      <WaitingFiles />
    </Screen>
  );
}

/** What is done with the chosen drafts, as they are now. */
function Chosen({ drafts, onClear }: { drafts: Row[]; onClear: () => void }) {
  const [open, setOpen] = useState(false);
  const [first, ...others] = drafts;
  if (!first) return <p className="muted small">{words.release.hint}</p>;
  const isOneSite = others.every(({ service }) => service === first.service);
  return (
    <div className="selection">
      <span role="status">{words.release.selected({ count: drafts.length })}</span>
      {isOneSite ? (
        <Button tone="primary" onClick={() => setOpen(true)}>
          {words.release.put}
        </Button>
      ) : (
        <span className="fault">{words.release.sites}</span>
      )}
      <Button onClick={onClear}>{common.files.list.clear}</Button>
      {open && <ReleaseDialog drafts={[first, ...others]} onClose={() => setOpen(false)} />}
    </div>
  );
}
