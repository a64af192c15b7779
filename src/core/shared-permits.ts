/** What the owners of a contact center permit to all who send to it, on whatever machine. */
export interface SharedLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
  readonly concurrency?: number | undefined;
}

/** How a request ended: `refused` for 429 and 503, with what the contact center asked for. */
export interface RequestEnding {
  readonly refused: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The permit of one request, which leaves in the turn in which it is given. */
export interface Permit {
  /** Whether it had to be waited for. */
  readonly waited: boolean;
  /** To be called once: the request has been answered, or nobody waits for its answer any more. */
  ended(ending: RequestEnding): void;
  /** In its place: the request did not leave. */
  unused(): void;
}

/** Permits that machines share. */
export interface SharedPermits {
  /**
   * Resolves when a request with so many clients may leave; rejects with the signal's reason when it is aborted before.
   * @throws LedgerError when permits cannot be drawn for longer than the run's patience
   */
  take(clients: number, signal: AbortSignal): Promise<Permit>;
  /** How many requests this run may have in flight now; `Infinity`: as many as it likes. */
  concurrency(): number;
  /** Gives everything back. */
  close(): Promise<void>;
}
