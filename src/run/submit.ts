import { EvidenceTally } from '../core/table.js';
import { createClientChanges } from '../client/contact-center.js';
import { CanaryStop, CardlineError, interruption } from '../core/errors.js';
import { noOutcomes } from '../core/outcome.js';
import { seenKeysOf, createSeenKeys } from '../lists/seen.js';
import type { SharedStop, SharedWork } from '../ledger/port.js';
import { type Fleet, openFleet, limitRun, Handover, PIECE_SIZE, runTaken } from '../fleet/fleet.js';
import { noteCanaryKnown, progressOfShared } from '../ledger/shared.js';
import {
  Canary,
  type RowTotal,
  admitChunk,
  allowedOf,
  canaryBefore,
  canaryStop,
  keysOf,
  tooManyFailures,
  totalOf,
} from '../delivery/import.js';
import type { RunOptions } from './requests.js';
import type { Work } from './plan.js';
import { type ImportEnd, refusedIn, type SendWith, warnOfColumns } from './send.js';
import { work as workOnPieces, GIVE_UP_MS, PIECES_AT_A_TIME } from './shared.js';
import { keyOf } from './repeats.js';

/** How often it is looked how far others have come, in milliseconds. */
const LOOK_MS = 1000;

/** The limit of failures where nothing is to be sent any more: no failure at all is needed to pass it. */
const NOTHING_MORE = -1;

/**
 * Sends the rows of a run through pieces that any machine may take; this one takes part.
 * @param stopped why nothing is to be sent (any more), where others have to learn of it
 */
export async function submitRows(
  request: RunOptions,
  work: Work,
  shared: SharedWork,
  stopped: CardlineError | undefined,
  parts: SendWith,
): Promise<ImportEnd & { readonly probes?: number }> {
  const fleet = await openFleet(work.ledger.file, request.lease);
  try {
    await fleet.jobs.begin(parts.run.run);
    return await new Submission(fleet, request, work, shared, stopped, parts).execute();
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return { stopped: error, requests: 0, retries: 0 };
  } finally {
    await fleet.close();
  }
}

class Submission {
  /** Aborted when the person wants to stop, or one half of the work cannot go on. */
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  readonly #began = performance.now();
  readonly #read = { rows: 0, share: 0, outcomes: noOutcomes() };
  #stopped: CardlineError | undefined;
  #isHanded = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly request: RunOptions,
    private readonly work: Work,
    private readonly shared: SharedWork,
    /** Why nothing is to be sent, as was known before. */
    private readonly before: CardlineError | undefined,
    private readonly parts: SendWith,
  ) {
    const { signal } = request;
    this.#signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
    shared.tally.onStop = (stop) => this.#stopFor(stop);
    this.#stopped = before;
  }

  async execute(): Promise<ImportEnd> {
    const { connections } = this.fleet;
    const canary = await this.#limit();
    if (!this.#stopped) {
      const halves = [this.#half(() => this.#handOver(canary))];
      if (!this.request.detach) halves.push(this.#half(() => this.#takePart()));
      await Promise.all(halves);
    }
    if (this.#stopped instanceof CanaryStop) await noteCanaryKnown(connections, this.shared);
    const { requests, retries } = await progressOfShared(connections, this.shared.place);
    const isInterrupted = this.#signal.aborted && !this.#stopped;
    const stopped = isInterrupted ? interruption(this.#signal) : this.#stopped;
    return { ...(stopped ? { stopped } : {}), requests, retries };
  }

  /** Sets the limits that hold over all pieces; resolves with how many clients go first. */
  async #limit(): Promise<number> {
    const { request, parts } = this;
    const { run } = parts;
    const { isCounted, handed, tally } = this.shared;
    tally.allowed = this.#allowed();
    const { canary: wanted = 0 } = request;
    const before = handed === 0 ? await canaryBefore(run, wanted) : undefined;
    // One that an earlier part of the run has sent as a whole holds nobody up, once it is known that it has passed.
    const canary = before?.outcomes.length === wanted ? 0 : wanted;
    // Too much may have failed of one that an earlier part of the run has sent as a whole.
    const isSick =
      before?.isUndecided === true && new Canary(wanted, before).isSick(request.maxFailures);
    const refused = isCounted ? 0 : await refusedIn(run);
    const limits = { allowed: tally.allowed, canary, refused, isSick };
    const mayGoOn = await limitRun(this.fleet, run.run, this.shared, limits);
    if (mayGoOn === undefined) throw runTaken(run.run);
    if (!mayGoOn) this.#stopFor({ by: 'canary', bad: 0 });
    return handed === 0 ? canary : 0;
  }

  /** How many rows may end badly, as far as it is known how many there are. */
  #allowed(): number | null {
    const { request } = this;
    if (this.before) return NOTHING_MORE;
    const { maxFailures } = request;
    return maxFailures ? allowedOf(maxFailures, this.#total().rows) : null;
  }

  #total(): RowTotal {
    return totalOf(this.#read, this.parts.counted);
  }

  #stopFor({ by, bad }: SharedStop): void {
    const { maxFailures = { count: 0 } } = this.request;
    this.#stopped ??=
      by === 'canary' ? canaryStop() : tooManyFailures(bad, maxFailures, this.#total());
    this.#over.abort();
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
  async #handOver(canary: number): Promise<void> {
    const { request, work, parts } = this;
    const { chunks: before, tally } = this.shared;
    const [seen, evidence] = [seenKeysOf(work.duplicates.by), new EvidenceTally()];
    const rule = work.changeRule(createClientChanges(parts.connection.center));
    const first = createSeenKeys();
    const { duplicates, inputs, mode } = work;
    const { run, known, compared } = parts;
    const context: Parameters<typeof admitChunk>[0] = {
      ...{ ledger: run, duplicates, inputs, known, campaign: null, seen, mode },
      ...{ earlier: compared?.earlier, later: compared?.later, isForOthers: true },
      limits: { bytes: Infinity, clients: () => Infinity },
      // Before the rows themselves are put on record, by the same statement.
      ended: (outcome, count) => {
        if (outcome === 'rejected') tally.rejected += count;
      },
    };
    const size = { ...PIECE_SIZE, rows: request.pieceRows ?? PIECE_SIZE.rows };
    const handover = new Handover(this.fleet, parts.run.run, this.shared, size, canary, first);
    try {
      let next = 0;
      for await (const chunk of work.chunks()) {
        if (this.#signal.aborted) return;
        const number = next++;
        evidence.add(chunk.evidence);
        this.#read.rows += chunk.count;
        this.#read.share = chunk.progress;
        parts.onRead(this.#read);
        tally.allowed = this.#allowed();
        const { passed, open } = await admitChunk(context, chunk, number);
        // Later rows of clients have to come after, where they are changed.
        const keys =
          rule &&
          passed.flatMap((index) =>
            keysOf(chunk.clients, index, rule).map((key) => keyOf([key], null)),
          );
        // Chunks before were handed over by an earlier part of the run: their clients count for duplicates and order alone.
        if (number < before) handover.note(keys ?? [], 0);
        else {
          const clients = open.reduce((sum, [, { members }]) => sum + members.length, 0);
          await handover.add({ chunk: { ...chunk, number }, clients, keys: keys ?? undefined });
        }
      }
      if (this.#signal.aborted) return;
      await handover.close();
      this.#isHanded = true;
    } finally {
      seen.close();
      first.close();
      warnOfColumns(evidence, parts.warn);
    }
  }

  /** Works on pieces of the run until all have ended, wherever that is. */
  async #takePart(): Promise<void> {
    const { request, parts } = this;
    let lookedAt = -Infinity;
    await workOnPieces(this.fleet, {
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
      onRunStopped: (_run, stop) => this.#stopFor(stop),
      isOver: async () => {
        if (performance.now() - lookedAt < LOOK_MS) return false;
        lookedAt = performance.now();
        return (await this.#look()) && this.#isHanded;
      },
    });
  }

  /** Shows how far all have come; whether they are at the end. */
  async #look(): Promise<boolean> {
    const { request } = this;
    const { connections } = this.fleet;
    const { place } = this.shared;
    const { outcomes, rows, ended, isEnded, stop } = await progressOfShared(connections, place);
    if (stop) this.#stopFor(stop);
    request.onProgress?.({
      ...{ rows: ended, outcomes, share: rows === 0 ? 0 : Math.min(1, ended / rows) },
      seconds: (performance.now() - this.#began) / 1000,
    });
    return isEnded;
  }
}
