import type { Row } from '../../core/table/row.js';
import type { Source, SourceInfo } from '../../core/table/source.js';
import { Batch } from '../batch.js';
import type { FoundFile } from '../file.js';
import { entriesIn, flatten } from '../records/flatten.js';
import { addTo, ColumnNames, NAMED_BY, type Entries } from '../records/names.js';
import { readLines } from './lines.js';
import { parseLine } from './parse.js';

/**
 * Opens a file of JSON Lines: one object on each line. Its columns are the names of the first records; a row has the
 * number of its line.
 * @throws InputError when the first records are broken
 */
export async function openJsonl(found: FoundFile): Promise<Source> {
  const names = new ColumnNames();
  let bytes = 0;
  let records = 0;
  for await (const line of readLines(found)) {
    const record = parseLine(line, found.file);
    if (record === null) continue;
    names.add(entriesOf(record), { file: found.file, line: line.number });
    bytes += line.bytes.length;
    if (++records >= NAMED_BY.records || bytes >= NAMED_BY.bytes) break;
  }
  return new JsonlSource(found, names);
}

class JsonlSource implements Source {
  readonly info: SourceInfo;
  private read = 0;

  constructor(
    private readonly found: FoundFile,
    private readonly names: ColumnNames,
  ) {
    const { file: _, ...rest } = found;
    this.info = { ...rest, encoding: 'utf-8', bom: false, sheets: [] };
  }

  bytesRead(): number {
    return this.read;
  }

  async verify(): Promise<void> {
    for await (const line of readLines(this.found)) parseLine(line, this.found.file);
  }

  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    this.read = 0;
    const batch = new Batch();
    addTo(batch, this.names.header);
    try {
      for await (const line of readLines(this.found, (bytes) => (this.read += bytes))) {
        const record = parseLine(line, this.found.file);
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

function entriesOf(record: object): Entries {
  return (take) => {
    for (const [name, value] of entriesIn(record)) flatten(name, value, take);
  };
}
