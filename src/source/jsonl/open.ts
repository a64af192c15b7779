import type { Row, Source, SourceInfo } from '../../core/table.js';
import { Batch } from '../batch.js';
import type { FoundFile } from '../file.js';
import { entriesIn, flatten } from '../records/flatten.js';
import { addTo, ColumnNames, NAMED_BY, type Entries } from '../records/names.js';
import { InputError, type InputPlace } from '../../core/errors.js';
import { readArray } from './array.js';
import { type Line, readLines } from './lines.js';
import { parseRecord } from './parse.js';

/** How the records of a file are told apart, and where one stands. */
interface RecordForm {
  readonly read: (found: FoundFile, onRead?: (bytes: number) => void) => AsyncIterable<Line>;
  readonly placeOf: (line: Line, file: string) => InputPlace;
}

const LINES: RecordForm = {
  read: readLines,
  placeOf: ({ number: line }, file) => ({ file, line }),
};
const ARRAY: RecordForm = {
  read: readArray,
  placeOf: ({ number: row }, file) => ({ file, row }),
};

/**
 * Opens a file of JSON Lines: one object on each line. Its columns are the names of the first records; a row has the
 * number of its line.
 * @throws InputError when the first records are broken
 */
export const openJsonl = (found: FoundFile): Promise<Source> => openRecords(found, LINES);

/**
 * Opens a file that is one JSON array of objects. Its columns are found as those of JSON Lines; a row has the number of
 * its record, from 1.
 * @throws InputError when the first records are broken, or there are none
 */
export const openJsonArray = (found: FoundFile): Promise<Source> => openRecords(found, ARRAY);

async function openRecords(found: FoundFile, form: RecordForm): Promise<Source> {
  const names = new ColumnNames();
  let bytes = 0;
  let records = 0;
  for await (const line of form.read(found)) {
    const place = form.placeOf(line, found.file);
    const record = parseRecord(line, place);
    if (record === null) continue;
    names.add(entriesOf(record), place);
    bytes += line.bytes.length;
    if (++records >= NAMED_BY.records || bytes >= NAMED_BY.bytes) break;
  }
  if (records === 0 && form === ARRAY) throw noRecords(found.file);
  return new JsonlSource(found, names, form);
}

class JsonlSource implements Source {
  readonly info: SourceInfo;
  private read = 0;

  constructor(
    private readonly found: FoundFile,
    private readonly names: ColumnNames,
    private readonly form: RecordForm,
  ) {
    const { file: _, ...rest } = found;
    this.info = { ...rest, encoding: 'utf-8', bom: false, sheets: [] };
  }

  bytesRead(): number {
    return this.read;
  }

  async verify(): Promise<void> {
    for await (const line of this.form.read(this.found)) this.parse(line);
  }

  private parse(line: Line): object | null {
    return parseRecord(line, this.form.placeOf(line, this.found.file));
  }

  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    this.read = 0;
    const batch = new Batch();
    addTo(batch, this.names.header);
    try {
      for await (const line of this.form.read(this.found, (bytes) => (this.read += bytes))) {
        const record = this.parse(line);
        if (record === null) continue;
        if (batch.isFull) yield batch.take();
        addTo(batch, this.names.row(entriesOf(record), line.number));
      }
    } catch (error) {
      // What was read before the error is given before it, as with a CSV file.
      if (!batch.isEmpty) yield batch.take();
      throw error;
    }
    if (!batch.isEmpty) yield batch.take();
  }
}

function noRecords(file: string): InputError {
  const reason =
    'the array holds no records. Write each one as an object, as in [{"name": "value"}].';
  return new InputError('empty_file', reason, { file });
}

function entriesOf(record: object): Entries {
  return (take) => {
    for (const [name, value] of entriesIn(record)) flatten(name, value, take);
  };
}
