import { z } from 'zod';
import { distinct, type ListObservation } from '../../core/quality.js';
import { LedgerError } from '../../core/errors.js';
import type { PreparedChunk } from '../../core/prepared.js';
import { EvidenceTally } from '../../core/table.js';
import type { Ledger, OpenedRun } from '../../ledger/ledger.js';
import { notesOf, suspicionsOf } from '../../mapping/suspicions.js';
import type { Preparation } from '../../prepare/plan.js';

/** Gathers what is found out about a list as a whole while its inputs are opened and read. */
export class ListObservations {
  readonly #columns = new EvidenceTally();
  readonly #opened: readonly ListObservation[];
  #kept: readonly ListObservation[] = [];

  constructor({ inputs, warnings }: Pick<Preparation, 'inputs' | 'warnings'>) {
    const sentences = warnings.flatMap(({ message, observation }) =>
      observation ? { kind: observation, about: message } : [],
    );
    const prefaces = inputs.flatMap(({ name, headerRow, foundHeader: [first = headerRow] }) =>
      first > 1 ? { kind: 'note' as const, about: `lines above the header of ${name}` } : [],
    );
    const further = inputs.flatMap(({ name, furtherHeaders }) =>
      [...furtherHeaders].flatMap(([sheet, row]) =>
        row > 1
          ? { kind: 'note' as const, about: `lines above the header of ${name}, ${sheet}` }
          : [],
      ),
    );
    this.#opened = [...sentences, ...prefaces, ...further];
  }

  addChunk({ evidence }: Pick<PreparedChunk, 'evidence'>): void {
    this.#columns.add(evidence);
  }

  /** All that was found, also by an earlier part of the run. */
  list(): ListObservation[] {
    const columns = this.#columns.list();
    return distinct([
      ...this.#kept,
      ...this.#opened,
      ...suspicionsOf(columns).map(({ column }) => ofColumn('doubt', column)),
      ...notesOf(columns).map(({ column }) => ofColumn('note', column)),
    ]);
  }

  /** Puts what was found on record, so that a later report has the same score. `isOver`: the run has not stopped. */
  async keep(opened: OpenRun, ledger: Pick<Ledger, 'settingsOf'>, isOver: boolean): Promise<void> {
    try {
      this.#kept =
        kept.safeParse(await ledger.settingsOf(opened.ledger.run)).data?.observations ?? [];
      const observations = this.list();
      if (observations.length > this.#kept.length) await opened.keep({ observations });
    } catch (error) {
      // Of a run that stopped since its ledger cannot be written, the summary alone says it.
      if (isOver || !(error instanceof LedgerError)) throw error;
    }
  }
}

type OpenRun = Pick<Extract<OpenedRun, { readonly kind: 'open' }>, 'keep' | 'ledger'>;

const ofColumn = (kind: ListObservation['kind'], column: string | null): ListObservation => ({
  kind,
  about: `column ${column ?? ''}`,
});

export const observationSchema = z.object({ kind: z.enum(['doubt', 'note']), about: z.string() });

const kept = z.object({ observations: z.array(observationSchema) });
