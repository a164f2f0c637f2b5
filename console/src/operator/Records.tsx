import type { ReactNode } from "react";

export interface Column<T> {
  head: string;
  cell: (row: T) => ReactNode;
  /** `main` is a card's headline on a phone; `actions` has no label there. */
  kind?: "main" | "number" | "actions";
}

interface RecordsProps<T> {
  /** What the table shows, for those who do not see it. */
  caption: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
}

/** Records as a table, which becomes a card for each of them on a phone. */
export function Records<T>({ caption, rows, columns, keyOf }: RecordsProps<T>) {
  // Roles are said outright, since a table that is laid out as cards loses its own.
  return (
    <table className="records" role="table">
      <caption className="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, kind }) => (
            <th key={head} role="columnheader" scope="col" data-kind={kind}>
              {kind === "actions" ? <span className="unseen">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ head, kind, cell }) => (
              <td key={head} role="cell" data-kind={kind} data-head={head}>
                {kind === "actions" ? <div className="records-actions">{cell(row)}</div> : cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
