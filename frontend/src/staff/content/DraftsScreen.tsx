/** What is being prepared, and what waits for a publisher. */

import { Link } from 'react-router';
import type { Draft } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { dateTime } from '../format';
import { recordPath } from '../paths';
import { type Column, DataTable } from '../ui/DataTable';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { draftsQuery, kindsQuery } from './api';
import { pictureOf, Thumbnail } from './RecordMedia';
import { WaitingFiles } from './WaitingFiles';
import { words } from './words';

const texts = words.drafts;

const BADGES = { draft: '', review: 'warm', publishing: 'warm' };

/** By title and picture, where the kind of the draft is known. */
type Row = Draft & { title: string; picture: string };

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
    cell: ({ state, base }) => (
      <span className="badges">
        <span className={`badge ${BADGES[state]}`}>{words.states[state]}</span>
        {base === null && <span className="badge good">{texts.isNew}</span>}
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

export function DraftsScreen() {
  const drafts = useQuery(draftsQuery);
  const { data: catalogues = [] } = useQuery(kindsQuery);
  const rowOf = (draft: Draft): Row => {
    const kinds = catalogues.find(({ catalogue }) => catalogue === draft.catalogue)?.content?.kinds;
    const kind = kinds?.find(({ kind: name }) => name === draft.kind);
    const title = kind && draft.record[kind.title];
    return {
      ...draft,
      title: title ? String(title) : draft.slug,
      picture: kind ? pictureOf(kind, draft.record) : '',
    };
  };
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={drafts}>
        {data =>
          data.length > 0 ? (
            <DataTable
              label={texts.title}
              columns={COLUMNS}
              rows={data.map(rowOf)}
              keyOf={({ id }) => String(id)}
            />
          ) : (
            <Empty title={texts.empty} />
          )
        }
      </Loaded>
      <WaitingFiles />
    </Screen>
  );
}
