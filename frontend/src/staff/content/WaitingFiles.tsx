/** Uploaded files that wait for a publisher. */

import { Link } from 'react-router';
import type { UploadedImport } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { dateTime } from '../format';
import { importPath } from '../paths';
import { type Column, DataTable } from '../ui/DataTable';
import { words } from '../words';
import { iso } from './fields';
import { waitingQuery } from './imports';

const texts = words.files.waiting;

type Row = { catalogue: string; import: UploadedImport };

const COLUMNS: Column<Row>[] = [
  {
    id: 'file',
    header: texts.file,
    kind: 'wide',
    cell: ({ catalogue, import: { id, file } }) => (
      <Link to={importPath(catalogue, id)} data-item className="strong">
        {file}
      </Link>
    ),
  },
  { id: 'site', header: texts.site, kind: 'wide', cell: ({ import: { service } }) => service },
  { id: 'by', header: texts.by, kind: 'wide', cell: ({ import: { who } }) => who },
  {
    id: 'at',
    header: texts.at,
    cell: ({ import: { at } }) => <span className="nowrap">{dateTime(iso(at))}</span>,
  },
];

export function WaitingFiles() {
  const { data = [] } = useQuery(waitingQuery);
  if (data.length === 0) return null;
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <DataTable
        label={texts.title}
        columns={COLUMNS}
        rows={data}
        keyOf={({ catalogue, import: { id } }) => `${catalogue} ${id}`}
      />
    </section>
  );
}
