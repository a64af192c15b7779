import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { LedgerError } from '../../../../src/core/errors.js';
import { joinPace } from '../../../../src/fleet/pace.js';
import type { SharedPermits } from '../../../../src/core/ledger.js';
import { answerBeat, NO_PACE, type SharedLimits } from '../../../../src/fleet/permits.js';

/** A request as the contact center and its sender saw it, in milliseconds. */
export interface SeenRequest {
  readonly member: number;
  readonly clients: number;
  readonly left: number;
  readonly booked: number;
}

export interface MemberOptions {
  readonly limits: SharedLimits;
  readonly weight?: number;
  readonly group?: string;
  /** Requests that it has in flight at most. */
  readonly concurrency: number;
  readonly clients?: () => number;
  /** When it comes and goes. A member that is killed gives nothing back. */
  readonly from?: number;
  readonly until?: number;
  readonly killed?: boolean;
  readonly giveUpAfterMs?: number;
}

export interface WorldOptions {
  /** How long a message takes to the contact center, and to the database, in milliseconds. */
  readonly toCenter: () => number;
  readonly toDatabase: () => number;
  readonly refuses?: (at: number) => { readonly retryAfterMs?: number } | undefined;
}

/** Members and a row of permits in time that passes by events alone. */
export class World {
  readonly seen: SeenRequest[] = [];
  readonly told: string[] = [];
  readonly failed: unknown[] = [];
  isLost = false;
  beats = 0;
  now = 0;
  #events: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #order = 0;
  #row = NO_PACE;
  #members = 0;

  constructor(private readonly options: WorldOptions) {}

  at(time: number, run: () => void): () => void {
    const event = { at: time, order: this.#order++, run };
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.at ?? 0) > time) index--;
    this.#events.splice(index, 0, event);
    return () => {
      this.#events = this.#events.filter((one) => one !== event);
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(this.now + ms, resolve);
    });
  }

  async run(until: number): Promise<void> {
    for (let [next] = this.#events; next && next.at <= until; [next] = this.#events) {
      this.#events.shift();
      this.now = Math.max(this.now, next.at);
      next.run();
      await setImmediate();
    }
    this.now = until;
  }

  /** Adds somebody who sends as much as it may. */
  add(options: MemberOptions): void {
    const member = this.#members++;
    this.at(options.from ?? 0, () => {
      const stop = new AbortController();
      setMaxListeners(0, stop.signal);
      const shared = this.#join(options, () => stop.signal.aborted && options.killed === true);
      for (let place = 0; place < options.concurrency; place++)
        void this.#send(member, shared, options, stop.signal);
      if (options.until !== undefined)
        this.at(options.until, () => {
          stop.abort();
          if (options.killed !== true) void shared.close();
        });
    });
  }

  #join({ limits, weight = 1, group, giveUpAfterMs = 1e9 }: MemberOptions, isDead: () => boolean) {
    return joinPace(
      {
        beat: async (beat) => {
          const text = JSON.stringify(beat);
          await this.sleep(this.options.toDatabase());
          if (this.isLost || isDead()) throw new LedgerError('The connection was lost.');
          this.beats++;
          const { state, answer } = answerBeat(
            this.#row,
            JSON.parse(text) as typeof beat,
            this.now,
          );
          this.#row = JSON.parse(JSON.stringify(state)) as typeof state;
          await this.sleep(this.options.toDatabase());
          return answer;
        },
        close: () => Promise.resolve(),
      },
      {
        ...{ limits, weight, group, giveUpAfterMs },
        onTrouble: (message) => this.told.push(message),
        timing: { now: () => this.now, after: (ms, run) => this.at(this.now + ms, run) },
      },
    );
  }

  async #send(
    member: number,
    shared: SharedPermits,
    { clients = () => 1 }: MemberOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { toCenter, refuses } = this.options;
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      const count = clients();
      try {
        const permit = await shared.take(count, signal);
        const left = this.now;
        await this.sleep(toCenter());
        this.seen.push({ member, clients: count, left, booked: this.now });
        const refusal = refuses?.(this.now);
        await this.sleep(toCenter());
        permit.ended({ refused: refusal !== undefined, ...refusal });
      } catch (error) {
        if (!isOver()) this.failed.push(error);
        return;
      }
    }
  }
}

/** The most that any second holds, of requests or clients. */
export function fullestSecond(
  requests: readonly SeenRequest[],
  when: 'left' | 'booked',
  amount: (request: SeenRequest) => number = () => 1,
): number {
  const all = requests.toSorted((one, other) => one[when] - other[when]);
  let [first, sum, most] = [0, 0, 0];
  for (const request of all) {
    sum += amount(request);
    for (let old = all[first]; old && old[when] <= request[when] - 1000 + 1e-6; old = all[++first])
      sum -= amount(old);
    most = Math.max(most, sum);
  }
  return most;
}

/** How many a second there were between two times. */
export const perSecond = (
  requests: readonly SeenRequest[],
  from: number,
  to: number,
  amount: (request: SeenRequest) => number = () => 1,
): number =>
  (requests
    .filter(({ left }) => left >= from && left < to)
    .reduce((sum, request) => sum + amount(request), 0) /
    (to - from)) *
  1000;
