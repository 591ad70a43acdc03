/** What is being prepared, and what waits for a publisher. */

import { Link } from 'react-router';
import type { Draft } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { dateTime } from '../format';
import { recordPath } from '../paths';
import { type Column, DataTable } from '../ui/DataTable';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { draftsQuery } from './api';
import { WaitingFiles } from './WaitingFiles';
import { words } from './words';

const texts = words.drafts;

const BADGES = { draft: '', review: 'warm', publishing: 'warm' };

const COLUMNS: Column<Draft>[] = [
  {
    id: 'what',
    header: texts.what,
    kind: 'wide',
    cell: draft => (
      <div>
        <Link to={recordPath(draft, draft.slug)} data-item className="strong">
          {draft.slug}
        </Link>
        <span className="muted small block">
          {draft.service}, {words.kindName(draft.kind)}
        </span>
      </div>
    ),
    sort: ({ slug }) => slug,
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
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={drafts}>
        {data =>
          data.length > 0 ? (
            <DataTable label={texts.title} columns={COLUMNS} rows={data} keyOf={({ id }) => String(id)} />
          ) : (
            <Empty title={texts.empty} />
          )
        }
      </Loaded>
      <WaitingFiles />
    </Screen>
  );
}
