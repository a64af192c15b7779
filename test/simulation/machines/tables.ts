import { decideRun, type Decision } from '../../../src/ledger/choose.js';
import { type RunRequest, LEASE_TIMES } from '../../../src/ledger/port.js';
import type { FoundLease } from '../../../src/ledger/postgres.js';
import { inUse, type RunRow, type RunView, type StoredFact } from '../../../src/ledger/store.js';
import { FactTable } from '../disk.js';
import type { Life } from '../life.js';
import type { Timeline } from '../timeline.js';
import type { Sabotage } from './world.js';

const { leaseMs } = LEASE_TIMES;

/** A run that was opened, by the lease of this epoch. */
export interface OpenedOnce {
  readonly kind: 'open';
  readonly epoch: number;
  readonly continued: boolean;
  readonly brokeOff: boolean;
}

/** The tables of one import; each method is a statement or a transaction, and all of them come one after the other. */
export class Tables {
  readonly facts = new FactTable();
  row: RunRow | undefined;
  #lease = { epoch: 0, until: -Infinity };
  /** Who has the lock of the run, where the ledger is a file. */
  #locked: Life | undefined;
  readonly counts = { 'facts refused': 0, 'taken over': 0 };

  constructor(
    private readonly timeline: Timeline,
    private readonly isFile: boolean,
    private readonly unfenced: Sabotage['unfenced'],
  ) {}

  #isTaken(): boolean {
    return this.isFile ? this.#locked?.isAlive() === true : this.#lease.until > this.timeline.now();
  }

  /** Whether a process that was given this epoch still has the run. */
  isOwn(epoch: number): boolean {
    return this.#lease.epoch === epoch;
  }

  /** The lease as whoever waits for it finds it. */
  leases(): FoundLease[] {
    if (!this.row) return [];
    const { epoch, until } = this.#lease;
    const { id: run, worker } = this.row;
    const isLive = until > this.timeline.now();
    return [{ run, lease: `${epoch} ${until}`, isLive, worker, shared: null }];
  }

  /** @throws as `decideRun` does */
  open(
    request: RunRequest,
    machine: Life,
    begunMs: number,
  ): OpenedOnce | Exclude<Decision, { kind: 'begin' | 'continue' }> {
    const decision = decideRun(this.#view(begunMs), request);
    if (decision.kind !== 'begin' && decision.kind !== 'continue') return decision;
    if (this.row && this.#isTaken()) throw inUse(this.row);
    const now = this.timeline.now();
    const isLapsed = this.row?.state === null;
    if (isLapsed) this.counts['taken over']++;
    this.#lease = { epoch: this.#lease.epoch + 1, until: now + leaseMs };
    this.#locked = machine;
    const continued = decision.kind === 'continue';
    if (!continued) this.facts.clear();
    this.row = { ...rowOf(request, decision.id, now), state: null };
    const brokeOff = decision.kind === 'continue' && decision.run.state === null;
    return { kind: 'open', epoch: this.#lease.epoch, continued, brokeOff };
  }

  #view(begunMs: number): RunView {
    const now = this.timeline.now();
    return {
      ledger: 'cardline.db',
      runs: this.row ? [this.row] : [],
      isTaken: () => this.#isTaken(),
      isAtWork: () => this.#isTaken(),
      wasFreedMeanwhile: ({ ended_at: at }) => at !== null && at >= now - begunMs,
      refuseShared: () => undefined,
      leavesNothing: () => !this.facts.mayHaveArrived(),
      lossOf: () => undefined,
      unmarked: () => undefined,
      refuseLostFacts: () => undefined,
    };
  }

  /** Appends all of them, or none: as many as were appended. */
  append(epoch: number, facts: readonly StoredFact[]): number {
    if (this.unfenced !== 'facts' && !this.isOwn(epoch)) {
      this.counts['facts refused']++;
      return 0;
    }
    for (const fact of facts) this.facts.store(fact);
    return facts.length;
  }

  renew(epoch: number): boolean {
    if (!this.isOwn(epoch)) return false;
    this.#lease.until = this.timeline.now() + leaseMs;
    return true;
  }

  giveBack(epoch: number): void {
    if (!this.isOwn(epoch)) return;
    this.#lease.until = this.timeline.now();
    this.#locked = undefined;
  }

  /** Resolves with whether the run was still this process's. */
  end(epoch: number, state: NonNullable<RunRow['state']>): boolean {
    if (this.unfenced !== 'end' && !this.isOwn(epoch)) return false;
    if (this.row) this.row = { ...this.row, state, ended_at: this.timeline.now() };
    return true;
  }
}

const rowOf = ({ identity }: RunRequest, id: string, now: number): RunRow => ({
  ...{ id, inputs: JSON.stringify(identity.inputs), content: identity.content, settings: '{}' },
  ...{ mapping: identity.mapping, installation: identity.installation, out: 'runs' },
  ...{ campaign: identity.campaignId, created_at: now, opened_at: now, ended_at: null },
  ...{ state: null, rows: null, outcomes: null, fingerprint: null, parts: null, relies: null },
  ...{ worker: null, settles_all: 0 },
});
