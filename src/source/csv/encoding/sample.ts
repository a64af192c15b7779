/** Bytes that neither stand for a letter nor are a part of a character in any encoding with more than a byte for some. */
const BETWEEN = /[\t\n\r,;"]+/;
const OUTSIDE_ASCII = /[\x80-\xff]/;

/** What is looked at: more does not change the answer, and takes time for each encoding and language. */
const MAX_CELLS = 800;
const MAX_BYTES = 24 * 1024;

/**
 * What stands between words. No higher byte: those may be the second half of a character. Digits and signs show
 * nothing of an encoding, so that one word with many numbers is the evidence of one word.
 */
const BETWEEN_WORDS = /[^\u0040-\u{10ffff}]+/u;

/** Cells, or parts of cells, with a word beyond ASCII that none before has, taken evenly from all of the sample. */
export function cellsOutsideAscii(sample: Buffer): Buffer[] {
  const cells = cellsWithNewWords(sample);
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

function cellsWithNewWords(sample: Buffer): string[] {
  const words = new Set<string>();
  return (
    sample
      .toString('latin1')
      .split(BETWEEN)
      .filter((cell) => {
        const before = words.size;
        for (const word of wordsOutsideAscii(cell)) words.add(word);
        return words.size > before;
      })
      // In latin1, bytes of letters look like blanks as well.
      .map((cell) => cell.replace(/^ +| +$/g, ''))
  );
}

function wordsOutsideAscii(cell: string): string[] {
  return OUTSIDE_ASCII.test(cell)
    ? cell.split(BETWEEN_WORDS).filter((word) => OUTSIDE_ASCII.test(word))
    : [];
}
