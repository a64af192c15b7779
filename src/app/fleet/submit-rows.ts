import { CardlineError } from '../../core/errors/errors.js';
import { INTERRUPTED, StopRun } from '../../core/stop.js';
import { seenKeysOf } from '../../dedup/seen.js';
import { EvidenceTally } from '../../core/table/evidence.js';
import { type Fleet, openFleet } from '../../fleet/fleet.js';
import { Handover, PIECE_SIZE } from '../../fleet/hand-over.js';
import { progressOfShared, type SharedWork } from '../../ledger/postgres/shared/shared-runs.js';
import { suspicionsOf } from '../../mapping/suspicions.js';
import { type AdmitContext, admitChunk } from '../../pipeline/admit.js';
import type { ImportEnd } from '../../pipeline/import-ports.js';
import { GIVE_UP_MS, PIECES_AT_A_TIME } from '../defaults.js';
import type { RunOptions } from '../requests.js';
import type { RunPlan } from '../run/run-plan.js';
import type { SendRowsParts } from '../run/send-rows.js';
import type { ExecuteRows } from '../run/send-run.js';
import { work } from './work.js';

/** How often it is looked how far others have come, in milliseconds. */
const LOOK_MS = 1000;

/** Sends the rows of a run through pieces that any machine may take; this one takes part. `file`: the ledger. */
export const submitRows =
  (file: string, shared: SharedWork): ExecuteRows<RunPlan> =>
  async (request, plan, parts) => {
    const fleet = await openFleet(file, request.lease);
    try {
      await fleet.jobs.begin(parts.run.run);
      return await new Submission(fleet, shared, { request, plan, parts }).execute();
    } catch (error) {
      if (!(error instanceof CardlineError)) throw error;
      return { stopped: error, requests: 0, retries: 0 };
    } finally {
      await fleet.close();
    }
  };

interface Submitted {
  readonly request: RunOptions;
  readonly plan: RunPlan;
  readonly parts: SendRowsParts;
}

class Submission {
  /** Aborted when the person wants to stop, or one half of the work cannot go on. */
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  readonly #began = performance.now();
  #stopped: CardlineError | undefined;
  #isHanded = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly shared: SharedWork,
    private readonly submitted: Submitted,
  ) {
    const { signal } = submitted.request;
    this.#signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
  }

  async execute(): Promise<ImportEnd> {
    const halves = [this.#half(() => this.#handOver())];
    if (!this.submitted.request.detach) halves.push(this.#half(() => this.#takePart()));
    await Promise.all(halves);
    const { requests, retries } = await progressOfShared(this.fleet.connections, this.shared.place);
    const isInterrupted = this.#signal.aborted && !this.#stopped;
    const stopped = isInterrupted ? new StopRun(INTERRUPTED) : this.#stopped;
    return { ...(stopped ? { stopped } : {}), requests, retries };
  }

  /** What keeps one half from its end ends the other. */
  async #half(execute: () => Promise<void>): Promise<void> {
    try {
      await execute();
    } catch (error) {
      this.#over.abort();
      if (!(error instanceof CardlineError)) throw error;
      this.#stopped ??= error;
    }
  }

  /** Reads the input in order, puts on record what becomes of its rows, and hands over what is to be sent. */
  async #handOver(): Promise<void> {
    const { request, plan, parts } = this.submitted;
    const [seen, evidence] = [seenKeysOf(plan.duplicates.by), new EvidenceTally()];
    const context: AdmitContext = { ...admission(plan, parts), seen };
    const { pieceRows = PIECE_SIZE.rows } = request;
    const size = { ...PIECE_SIZE, rows: pieceRows };
    const handover = new Handover(this.fleet, parts.run.run, this.shared, size);
    try {
      let next = 0;
      for await (const chunk of plan.chunks()) {
        if (this.#signal.aborted) return;
        const number = next++;
        evidence.add(chunk.evidence);
        await admitChunk(context, chunk, number);
        // Others were handed over before; whom they have is a duplicate later all the same.
        if (number >= this.shared.chunks) await handover.add({ ...chunk, number });
      }
      if (this.#signal.aborted) return;
      if (this.shared.pieces === null) await handover.close();
      this.#isHanded = true;
    } finally {
      seen.close();
      for (const { message } of suspicionsOf(evidence.list()))
        parts.warn(`suspect the mapping: ${message}`);
    }
  }

  /** Works on pieces of the run until all have ended, wherever that is. */
  async #takePart(): Promise<void> {
    const { request, parts } = this.submitted;
    let lookedAt = -Infinity;
    await work(this.fleet, {
      env: request.env,
      only: parts.run.run,
      signal: this.#signal,
      maxPieces: PIECES_AT_A_TIME,
      giveUpAfterMs: request.giveUpAfterMs ?? GIVE_UP_MS,
      onWarning: parts.warn,
      onPiece: () => {
        lookedAt = -Infinity;
      },
      onStopped: (_run, why) => {
        this.#stopped ??= why;
        this.#over.abort();
        return false;
      },
      isOver: async () => {
        if (performance.now() - lookedAt < LOOK_MS) return false;
        lookedAt = performance.now();
        return (await this.#look()) && this.#isHanded;
      },
    });
  }

  /** Shows how far all have come; whether they are at the end. */
  async #look(): Promise<boolean> {
    const { request } = this.submitted;
    const { outcomes, rows, isEnded } = await progressOfShared(
      this.fleet.connections,
      this.shared.place,
    );
    const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    request.onProgress?.({
      ...{ rows: ended, outcomes, share: rows === 0 ? 0 : Math.min(1, ended / rows) },
      seconds: (performance.now() - this.#began) / 1000,
    });
    return isEnded;
  }
}

/** What puts chunks on record, and leaves sending them to others. */
function admission(
  { duplicates, inputs, changeRule: _, mode }: RunPlan,
  { run, known, compared }: SendRowsParts,
): Omit<AdmitContext, 'seen'> {
  return {
    ...{ ledger: run, duplicates, inputs, known, campaign: false, together: false },
    ...{ earlier: compared?.earlier, later: compared?.later },
    limits: { bytes: Infinity, clients: () => Infinity },
    unsure: mode === 'enqueue' ? 'enqueueing_unknown' : 'creation_unknown',
    settles: false,
    onOutcome: () => undefined,
  };
}
