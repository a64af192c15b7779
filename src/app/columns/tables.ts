import { stat } from 'node:fs/promises';
import type { Mode } from '../../core/mode.js';
import type { SourceOptions } from '../../core/table.js';
import type { Installation } from '../../installation/installation.js';
import { openWithinLimits } from '../../prepare/inputs/open-within-limits.js';
import type { HeaderQuestion } from '../../source/header-choice.js';
import { readForSuggestion, type ReadFile } from '../../suggest/read-file.js';
import { readTable, type ReadTable } from '../../suggest/suggest.js';
import { rememberedColumns } from '../suggest/remembered.js';

/** A spreadsheet, and what its columns are understood by. */
export interface TableRequest {
  readonly file: string;
  /** Name of the file, as the person knows it. */
  readonly name: string;
  readonly options: SourceOptions;
  readonly header: HeaderQuestion;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly mode: Mode;
  readonly ledger: string;
}

/** Tables that are kept: a few lists in a few ways of reading them. */
const KEPT = 8;

/** Spreadsheets as far as their columns are looked at. Each is read once, for as long as its file stays the same. */
export class Tables {
  readonly #files = new Map<string, Promise<ReadFile>>();
  readonly #tables = new Map<string, Promise<ReadTable>>();

  /** @throws InputError when the file cannot be read */
  async readFile({
    file,
    name,
    options,
    header,
  }: Pick<TableRequest, 'file' | 'name' | 'options' | 'header'>): Promise<ReadFile> {
    const { size, mtimeMs, ino } = await stat(file);
    const key = JSON.stringify([file, name, size, mtimeMs, ino, options, header]);
    return kept(this.#files, key, () =>
      readForSuggestion(file, options, { name, open: openWithinLimits, header }),
    );
  }

  /** What the columns hold and what each could be. @throws InputError when the file cannot be read */
  async readTable(request: TableRequest): Promise<ReadTable> {
    const { installation, mode, ledger } = request;
    const { table, source } = await this.readFile(request);
    const { card, clientRoles } = installation;
    const key = JSON.stringify([source, table.headers, request.file, card, clientRoles, mode]);
    return kept(this.#tables, key, async () => {
      const remembered = await rememberedColumns(ledger, table.headers, mode);
      return readTable({ table, installation, mode, remembered });
    });
  }
}

/** What was made for a key before, or is made now; the oldest goes. What fails is made again. */
function kept<T>(all: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = all.get(key);
  const found = known ?? make();
  all.delete(key);
  all.set(key, found);
  if (!known) found.catch(() => all.delete(key));
  const [oldest] = all.keys();
  if (all.size > KEPT && oldest !== undefined) all.delete(oldest);
  return found;
}
