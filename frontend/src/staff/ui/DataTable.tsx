/** The only module that imports TanStack Table: a table on wide screens, and cards on phones. Arrows move between its rows. */
import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo } from 'react';
import { moveByArrows } from '../keyboard';
import { words } from '../words';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The value to sort by; a column without one cannot be sorted. */
  sort?: (row: Row) => string | number;
  kind?: 'actions' | 'mono' | 'sum' | 'wide';
};

type Props<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
};

/** The columns as the library takes them: their values are for sorting only. */
const definitions = <Row extends RowData>(columns: Column<Row>[]): ColumnDef<typeof features, Row>[] =>
  columns.map(({ id, header, sort }) => ({
    id,
    header,
    accessorFn: row => sort?.(row) ?? '',
    enableSorting: sort !== undefined,
    sortFn: 'basic',
  }));

export function DataTable<Row extends RowData>({ label, columns, rows, keyOf }: Props<Row>) {
  // The library builds its models again when the columns change.
  const defined = useMemo(() => definitions(columns), [columns]);
  const table = useTable({ features, columns: defined, data: rows, getRowId: keyOf });
  const shown = new Map(columns.map(column => [column.id, column]));
  return (
    <table className="table" aria-label={label} onKeyDown={moveByArrows}>
      <thead>
        {table.getHeaderGroups().map(group => (
          <tr key={group.id}>
            {group.headers.map(({ id, column }) => {
              const { header = '', kind = '' } = shown.get(id) ?? {};
              const sorted = column.getIsSorted();
              const order = sorted === 'asc' ? 'ascending' : 'descending';
              return (
                <th key={id} scope="col" className={kind} aria-sort={sorted ? order : undefined}>
                  {column.getCanSort() ? (
                    <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
                      {header}
                      <span aria-hidden="true" className="sort-mark">
                        {sorted === 'asc' ? '↑' : sorted === 'desc' ? '↓' : ''}
                      </span>
                    </button>
                  ) : kind === 'actions' ? (
                    <span className="sr">{words.common.actions}</span>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map(row => (
          <tr key={row.id} data-row>
            {columns.map(({ id, header, cell, kind = '' }) => (
              <td key={id} className={kind} data-label={kind === 'actions' ? undefined : header}>
                {cell(row.original)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
