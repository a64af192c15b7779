import { UsageError } from '../../core/errors.js';

/** Delimiters that are looked for; between equals, the first one wins. */
const CANDIDATES = [',', ';', '\t', '|'];
/** Records that are counted. */
const SAMPLE_RECORDS = 200;

/**
 * The delimiter to use: the wanted one, or, for `auto`, the one that splits the most records of the sample into the
 * same number of fields, at least two. A file of one column is taken to be separated by commas.
 * @param sample beginning of the text
 * @param whole whether the sample is the whole text; else its last record may be cut off and is not counted
 * @throws UsageError when the wanted delimiter is not one character, or can be no delimiter
 */
export function findDelimiter(sample: string, whole: boolean, wanted: string): string {
  if (wanted !== 'auto') return checkedDelimiter(wanted);
  let best = { delimiter: ',', share: 0, fields: 1 };
  for (const delimiter of CANDIDATES) {
    const { share, fields } = regularity(fieldCounts(sample, whole, delimiter));
    if (fields < 2) continue;
    if (share > best.share || (share === best.share && fields > best.fields))
      best = { delimiter, share, fields };
  }
  return best.delimiter;
}

function checkedDelimiter(wanted: string): string {
  if (wanted === 'tab' || wanted === '\\t') return '\t';
  if (wanted.length === 1 && !/["\r\n\ufeff\ud800-\udfff]/.test(wanted)) return wanted;
  throw new UsageError(
    `the delimiter must be one character, tab, or auto, and no quote or line end; got ${JSON.stringify(wanted)}.`,
  );
}

/** The most usual number of fields, and the share of the records that have it. */
function regularity(counts: readonly number[]): { share: number; fields: number } {
  const records = new Map<number, number>();
  for (const count of counts) records.set(count, (records.get(count) ?? 0) + 1);
  const [usual] = [...records].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return usual ? { fields: usual[0], share: usual[1] / counts.length } : { fields: 1, share: 0 };
}

/** Number of fields of each of the first records that are not blank; quoted text counts as one field. */
function fieldCounts(sample: string, whole: boolean, delimiter: string): number[] {
  const counts: number[] = [];
  let fields = 1;
  let recordStart = 0;
  let quoted = false;
  for (let at = 0; at < sample.length && counts.length < SAMPLE_RECORDS; at++) {
    const char = sample[at];
    if (quoted) {
      if (char === '"') quoted = false;
    } else if (char === '"') {
      // A second quote reopens what the first one closed. A field of another candidate may be quoted too: what stands
      // in its quotes is text, whichever candidate is counted.
      const before = sample[at - 1] ?? '';
      quoted = at === recordStart || before === '"' || CANDIDATES.includes(before);
    } else if (char === delimiter) {
      fields++;
    } else if (char === '\n' || char === '\r') {
      if (at > recordStart) counts.push(fields);
      fields = 1;
      recordStart = at + 1;
    }
  }
  if (whole && recordStart < sample.length && counts.length < SAMPLE_RECORDS) counts.push(fields);
  return counts;
}
