import { headerName } from '../../core/cell-text.js';
import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import type { ColumnEvidence } from '../../core/table.js';
import type { Path } from '../../config/path.js';
import { mistakeAt, inDocumentOrder } from '../../config/check-document.js';
import type { Suppression } from '../../quality/suppression.js';
import type { NumberPlan } from '../../quality/zones/number-plan.js';
import type { LoadedMapping } from '../load.js';
import { suggestion } from '../../config/nearest.js';
import type { TransformContext } from '../transforms/kind.js';
import { Watch } from '../transforms/watch.js';

/** What is at hand while a mapping is compiled: the columns of the file, and the mistakes found so far. */
export interface CompileContext extends TransformContext {
  /** Columns that the mapping uses, in the order of its mention. */
  readonly used: ReadonlySet<string>;
  /** Where numbers were given out; absent where nobody says. */
  readonly numberPlan?: NumberPlan | undefined;
  /** Whether duplicates are known by phones. */
  readonly comparesPhones: boolean;
  /** The lists of numbers that must not be called; absent where there are none. */
  readonly suppression?: Suppression | undefined;
  /** Whether the numbers of phones are kept, to be compared once more before anybody is called. */
  readonly keepsNumbers?: boolean | undefined;
  /** What was seen of columns since this was last asked. */
  takeEvidence(): ColumnEvidence[];
  /** @throws ConfigurationError when there was any mistake */
  finish(): void;
}

/** What is known of who may be called, and where. */
export type Callable = Pick<CompileContext, 'suppression' | 'numberPlan' | 'keepsNumbers'>;

/** What is read of a mapping while it is compiled. Without a rule of duplicates, none are looked for. */
type CompiledFrom = Pick<LoadedMapping, 'document' | 'tables'> &
  Partial<Pick<LoadedMapping, 'duplicates'>>;

export function compileContext(
  { document, tables, duplicates }: CompiledFrom,
  headers: readonly string[],
  input: string | undefined,
  { suppression, numberPlan, keepsNumbers }: Callable = {},
): CompileContext {
  const names = headers.map(headerName);
  const used = new Set<string>();
  const mistakes: ConfigMistake[] = [];
  const seen = new Set<string>();
  const watches: Watch[] = [];
  const mistake = (path: Path, message: string, hint?: string): void => {
    const found = mistakeAt(document, path, message, hint);
    const text = `${found.path ?? ''} ${message}`;
    if (!seen.has(text)) mistakes.push(found);
    seen.add(text);
  };
  return {
    label: null,
    suppression,
    numberPlan,
    keepsNumbers,
    comparesPhones: duplicates?.by.includes('phone') ?? false,
    used,
    watch(column, kind) {
      const watch = new Watch(column, kind);
      watches.push(watch);
      return watch;
    },
    takeEvidence: () => watches.map((watch) => watch.take()).filter((seen) => seen !== null),
    mistake,
    column(name, path) {
      const wanted = headerName(name);
      const at = names.indexOf(wanted);
      const spreadsheet = input ?? 'the spreadsheet';
      if (at < 0) {
        mistake(
          path,
          `${spreadsheet} has no column "${wanted}".`,
          suggestion(wanted, filled(names)),
        );
      } else if (names.includes(wanted, at + 1)) {
        mistake(path, `${spreadsheet} has two columns "${wanted}".`, 'Rename one of them.');
      }
      used.add(wanted);
      return Math.max(0, at);
    },
    table: (file) => tables.get(file),
    finish() {
      if (mistakes.length > 0) throw new ConfigurationError(inDocumentOrder(mistakes));
    },
  };
}

function filled(names: readonly string[]): string[] {
  return names.filter((name) => name !== '');
}
