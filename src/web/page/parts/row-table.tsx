import type { JSX } from 'preact';

interface RowTableProps {
  /** Says what the table shows. */
  readonly caption: string;
  readonly numberHeader: string;
  readonly header: readonly string[];
  readonly rows: readonly { readonly row: number; readonly cells: readonly (string | null)[] }[];
}

/** Rows of a spreadsheet with their numbers. Cells are text, whatever they hold. */
export function RowTable({ caption, numberHeader, header, rows }: RowTableProps): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="rows">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {numberHeader}
            </th>
            {header.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, cells }) => (
            <tr key={row}>
              <th scope="row" class="number">
                {row}
              </th>
              {header.map((_, column) => (
                <td>{cells[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
