import { ERASED } from '../../core/erase.js';
import type { Row } from '../../core/table.js';
import type { RowReport } from '../../core/report.js';
import type { ChosenColumns } from '../../report/run-report.js';
import { InputRows } from '../inputs/input-rows.js';
import type { ShownColumns } from '../run/result/shown-columns.js';

type ShownInput = ShownColumns['inputs'][number];

/** The columns that the mapping of a run chooses for its report, read from the inputs once more. */
export function chosenColumns({ names, inputs }: ShownColumns): ChosenColumns {
  let open: { readonly index: number; readonly rows: InputRows } | undefined;
  const rowOf = async (report: RowReport, input: ShownInput): Promise<Row | null> => {
    if (open?.index !== report.input) {
      await open?.rows.close();
      open = { index: report.input, rows: new InputRows(rereadInput(input)) };
    }
    return open.rows.find(report);
  };
  return {
    names,
    cells: async (report) => {
      // The file has an erased person still; the report is not to have it again.
      if (report.problems.some(({ code }) => code === ERASED)) return null;
      const input = inputs[report.input];
      const row = input ? await rowOf(report, input) : null;
      return row && input ? input.columns.map((at) => row.cells[at] ?? null) : null;
    },
    close: async () => {
      await open?.rows.close();
    },
  };
}

const rereadInput = ({ path, mark, source, ...input }: ShownInput) => ({
  file: { path, name: path },
  ...{ mark, source, input },
});
