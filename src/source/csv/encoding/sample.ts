/** Bytes that neither stand for a letter nor are a part of a character in any encoding with more than a byte for some. */
const BETWEEN = /[\t\n\r,;"]+/;
const OUTSIDE_ASCII = /[\x80-\xff]/;

/** What is looked at: more does not change the answer, and takes time for each encoding and language. */
const MAX_CELLS = 800;
const MAX_BYTES = 24 * 1024;

/** Distinct cells, or parts of cells, that hold bytes beyond ASCII, taken evenly from all of the sample. */
export function cellsOutsideAscii(sample: Buffer): Buffer[] {
  const distinct = new Set<string>();
  for (const cell of sample.toString('latin1').split(BETWEEN))
    if (OUTSIDE_ASCII.test(cell)) distinct.add(cell.trim());
  const cells = [...distinct];
  const step = Math.max(1, cells.length / MAX_CELLS);
  const taken: Buffer[] = [];
  let bytes = 0;
  for (let at = 0; at < cells.length && bytes < MAX_BYTES; at += step) {
    const cell = Buffer.from(cells[Math.floor(at)] ?? '', 'latin1');
    taken.push(cell);
    bytes += cell.length;
  }
  return taken;
}
