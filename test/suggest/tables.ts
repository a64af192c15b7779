import {
  suggestTable,
  type SuggestTableRequest,
  type Suggestion,
} from '../../src/suggest/suggest.js';
import { CARDS } from './cards.js';

const COUNT = 12;

interface Own {
  /** Cells of the column `Phone`; `null`: it has none. @default numbers with their codes */
  readonly phones?: readonly string[] | null;
  /** Whether the file has more rows than were looked at. */
  readonly isPart?: boolean;
}

/** What is suggested for a list of twelve clients with these columns beside those that every list has. */
export function suggested(
  columns: Readonly<Record<string, readonly string[]>>,
  more: Partial<SuggestTableRequest> & Own = {},
): Suggestion {
  const { phones = rows((at) => `+7 999 000-10-${10 + at}`), isPart = false, ...request } = more;
  const all = {
    'Lead ID': rows((at) => `L-${10 + at}`),
    'Full name': rows((at) => ['Ada Fernhill', 'Milo Oakley'][at % 2] ?? ''),
    ...(phones === null ? {} : { Phone: phones }),
    ...columns,
  };
  const cells = rows((row) => Object.values(all).map((column) => column[row] ?? null));
  return suggestTable({
    table: {
      headers: Object.keys(all),
      sample: cells,
      first: cells.map((each, row) => ({ row: row + 2, cells: each })),
      rows: isPart ? undefined : COUNT,
    },
    source: { file: 'leads.csv', headerRow: 1 },
    installation: { card: CARDS.leads },
    ...request,
  });
}

const rows = <T>(make: (at: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, at) => make(at));
