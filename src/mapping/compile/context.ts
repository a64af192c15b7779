import { headerName, type Cell } from '../../core/table.js';
import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import { mistakeAt, inDocumentOrder } from '../../config/check-document.js';
import type { NumberCheck } from '../../core/problem.js';
import type { NumberPlan } from '../../calling/zones/zones.js';
import type { LoadedMapping } from '../load.js';
import { suggestion } from '../../config/nearest.js';
import {
  type TransformContext,
  Watch,
  type InvalidValue,
  type Remarks,
} from '../transforms/step.js';
import type { FieldValue, MappedPayload } from '../../core/client.js';
import { type Problem, type Listed, listsText, SUPPRESSED } from '../../core/problem.js';
import type { ZoneSource } from '../../core/hours.js';

/** What is at hand while a mapping is compiled: the columns of the file, and the mistakes found so far. */
export type CompileContext = ReturnType<typeof compileContext>;

/** What is known of who may be called, and where. */
interface Callable {
  /** The lists of numbers that must not be called; absent where there are none. */
  readonly suppression?: NumberCheck | undefined;
  /** Where numbers were given out; absent where nobody says. */
  readonly numberPlan?: NumberPlan | undefined;
  /** Whether the numbers of phones are kept, to be compared once more before anybody is called. */
  readonly keepsNumbers?: boolean | undefined;
}

/** @param comparesPhones whether duplicates are known by phones */
export function compileContext(
  { document, tables }: Pick<LoadedMapping, 'document' | 'tables'>,
  headers: readonly string[],
  input = 'the spreadsheet',
  { suppression, numberPlan, keepsNumbers }: Callable = {},
  comparesPhones = false,
) {
  const names = headers.map(headerName);
  const mistakes = new Map<string, ConfigMistake>();
  const watches: Watch[] = [];
  const transforms: TransformContext = {
    label: null,
    watch(column, kind) {
      const watch = new Watch(column, kind);
      watches.push(watch);
      return watch;
    },
    mistake(path, message, hint) {
      const found = mistakeAt(document, path, message, hint);
      const text = `${found.path ?? ''} ${message}`;
      if (!mistakes.has(text)) mistakes.set(text, found);
    },
    column(name, path) {
      const wanted = headerName(name);
      const at = names.indexOf(wanted);
      if (at < 0) {
        const filled = names.filter((each) => each !== '');
        const message = `${input} has no column "${wanted}".`;
        transforms.mistake(path, message, suggestion(wanted, filled));
      } else if (names.includes(wanted, at + 1)) {
        transforms.mistake(path, `${input} has two columns "${wanted}".`, 'Rename one of them.');
      }
      used.add(wanted);
      return Math.max(0, at);
    },
    table: (file) => tables.get(file),
  };
  /** Columns that the mapping uses, in the order of its mention. */
  const used = new Set<string>();
  return {
    ...{ ...transforms, suppression, numberPlan, keepsNumbers, comparesPhones, used },
    /** What was seen of columns since this was last asked. */
    takeEvidence: () => watches.map((watch) => watch.take()).filter((seen) => seen !== null),
    mistakes: (): readonly ConfigMistake[] => [...mistakes.values()],
    /** @throws ConfigurationError when there was any mistake */
    finish(): void {
      if (mistakes.size > 0) throw new ConfigurationError(inDocumentOrder([...mistakes.values()]));
    },
  };
}

/**
 * Makes of a row what its mode sends; `null` when it cannot, and then `problems` says why or there is no uuid.
 * `fields` are all custom fields of the row, identifiers first; `null` where it has no value.
 */
export type MakePayload<P extends MappedPayload = MappedPayload> = (
  uuid: string | null,
  fields: readonly (FieldValue | null)[],
  cells: readonly Cell[],
  problems: RowProblems,
) => P | null;

/** The problems of one row, and what is left out of it, as they are found. */
export class RowProblems implements Remarks {
  readonly list: Problem[] = [];
  #dropped: Problem[] | undefined;
  #remarks: Problem[] | undefined;
  #listed:
    | { readonly column: string | null; readonly value: string; readonly names: Set<string> }
    | undefined;
  #isLeftOut = false;
  #phone: string | undefined;
  #number = 0;
  #others: { readonly phone: string; readonly number: number }[] | undefined;

  add(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    this.list.push({ column, code, message, value });
  }

  remark(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    (this.#remarks ??= []).push({ column, code, message, value });
  }

  /** Leaves out a phone that is on lists of numbers that must not be called; the row, where one of these wants it. */
  suppress(column: string | null, value: string, { names, scope }: Listed): void {
    const found = (this.#listed ??= { column, value, names: new Set() });
    for (const name of names) found.names.add(name);
    if (scope === 'row') this.leaveRowOut();
    const message = `Left out: the phone is on ${listsText(names)}.`;
    (this.#remarks ??= []).push({ column, code: SUPPRESSED, message, value, lists: names });
  }

  /** A phone that was compared with the lists and is on none; 0 where its number could not be made out. */
  keepNumber(phone: string, number: number): void {
    if (this.#phone === undefined) [this.#phone, this.#number] = [phone, number];
    else (this.#others ??= []).push({ phone, number });
  }

  /** The number of a phone that was compared; `undefined` where it was not. */
  numberOf(phone: string): number | undefined {
    if (this.#phone === phone) return this.#number;
    return this.#others?.find((kept) => kept.phone === phone)?.number;
  }

  /** Whether a phone was on a list. */
  get hasSuppressed(): boolean {
    return this.#listed !== undefined;
  }

  /** The row is not sent, since nothing can be done with what is left of it. */
  leaveRowOut(): void {
    this.#isLeftOut = true;
  }

  /** Why the row is left out; `undefined` where it is not. */
  get suppressed(): Problem | undefined {
    if (!this.#isLeftOut || this.#listed === undefined) return undefined;
    const { column, value, names } = this.#listed;
    const lists = [...names];
    const message = `The row has a phone that must not be called: it is on ${listsText(lists)}.`;
    return { column, code: SUPPRESSED, message, value, lists };
  }

  /** Its phones as duplicates are known by them; `undefined` where the mapping does not compare phones. */
  compared: (number | string)[] | undefined;

  /** Where the time zone of the client comes from, where the mapping finds it by the phone. */
  zoneFrom: ZoneSource | undefined;

  /** The zones that the client can be in, where its phone does not say which. */
  possibleZones: readonly string[] | undefined;

  /** The numbers that may be called with what is sent, where there are lists to compare them with. */
  callable: readonly number[] | undefined;

  /** How many values have been left out so far. */
  get dropped(): number {
    return this.#dropped?.length ?? 0;
  }

  /** Leaves out a value that is wrong, in place of rejecting the row. */
  drop(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    (this.#dropped ??= []).push({ column, code, message, value });
  }

  /** Makes of the problems from place `from` on what is left out, and forgets the phones behind the first `compared`. */
  dropFrom(from: number, compared: number): void {
    (this.#dropped ??= []).push(...this.list.splice(from));
    if (this.compared) this.compared.length = compared;
  }

  /** Notes that something is missing. What was left out from place `from` on is a problem again: without it, it is not there. */
  lack(column: string | null, what: InvalidValue, from: number): void {
    this.list.push(...(this.#dropped?.splice(from) ?? []));
    this.add(column, what, null);
  }

  /** What a report says of the row when it is sent; `undefined` where nothing was left out. */
  get remarks(): readonly Problem[] | undefined {
    if (this.#dropped === undefined) return this.#remarks;
    const dropped = this.#dropped.map((problem) => ({
      ...problem,
      message: `Left out: ${problem.message}`,
    }));
    return this.#remarks ? [...dropped, ...this.#remarks] : dropped;
  }
}
