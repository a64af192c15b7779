import { areClean, cleanCells } from '../core/cell-text.js';
import type { Row, Source } from '../core/table.js';

/** A source whose cells are as they are meant, whatever its format. */
export function cleaned(source: Source): Source {
  const { info, rowsNear } = source;
  return {
    info,
    batches: () => cleanedBatches(source),
    verify: () => source.verify(),
    rowsNear: rowsNear && (async (share, width) => (await rowsNear(share, width)).map(cleanedRow)),
    bytesRead: () => source.bytesRead(),
  };
}

async function* cleanedBatches(source: Source): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const rows of source.batches()) yield rows.map(cleanedRow);
}

function cleanedRow(row: Row): Row {
  // As nearly all are: no copy is made of them.
  if (areClean(row.cells)) return row;
  const cells = [...row.cells];
  const found = cleanCells(cells, false);
  return found ? { ...row, cells, cleaned: found } : { ...row, cells };
}
