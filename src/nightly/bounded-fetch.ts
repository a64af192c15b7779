/** How much of an answer is read, and how long it is waited for. */
interface HttpLimits {
  /** Of the answer without its head, unpacked. */
  readonly bytes: number;
  /** Until the head of the answer is there, in milliseconds. */
  readonly headMs: number;
  /** Until all of it is there, in milliseconds since it was asked for. */
  readonly ms: number;
}

/** Of all that is asked over HTTP beside the contact center. What of a file is fetched is bounded by the size it is listed with. */
export const HTTP_LIMITS = {
  /** What a receiver of notices says is read for the connection alone. */
  webhook: { bytes: 64 * 1024, headMs: 20_000, ms: 25_000 },
  /** A page of a list of objects: 1,000 names of up to 1,024 bytes, each byte written as up to 6. */
  s3: { bytes: 16 * 1024 ** 2, headMs: 60_000, ms: 120_000 },
  s3Object: { bytes: Infinity, headMs: 60_000, ms: 10 * 60_000 },
} as const satisfies Record<string, HttpLimits>;

/** An answer did not come in time, or is larger than what is read of one. The message holds no address. */
export class HttpLimitError extends Error {}

/** An answer whose head is there. */
interface BoundedAnswer {
  readonly response: Response;
  /** What is left of it, piece by piece. @throws HttpLimitError where a limit is passed */
  pieces(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Lets go of the connection. To be called once, whatever was read. */
  close(): void;
}

/**
 * Asks as `fetch` does, within limits that hold also for servers that answer without end or byte by byte.
 * @throws HttpLimitError when no head comes in time; else as `fetch` does
 */
export async function boundedFetch(
  input: string | URL | Request,
  init: RequestInit,
  limits: HttpLimits,
): Promise<BoundedAnswer> {
  const over = new AbortController();
  // Timers of our own: a signal of a time limit that nobody else holds may be collected before it comes.
  const abortAfter = (ms: number, what: string) =>
    setTimeout(() => {
      over.abort(new HttpLimitError(`${what} within ${ms / 1000} s`));
    }, ms);
  const { signal } = init;
  const forward = (): void => {
    over.abort(signal?.reason);
  };
  if (signal?.aborted) forward();
  signal?.addEventListener('abort', forward, { once: true });
  const timers = [abortAfter(limits.headMs, 'no answer'), abortAfter(limits.ms, 'no whole answer')];
  const close = (): void => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
    over.abort();
  };
  try {
    const response = await fetch(input, { ...init, signal: over.signal });
    clearTimeout(timers[0]);
    return { response, pieces: () => piecesOf(response, limits, over.signal), close };
  } catch (error) {
    close();
    throw over.signal.reason instanceof HttpLimitError ? over.signal.reason : error;
  }
}

async function* piecesOf(
  { body }: Response,
  { bytes }: HttpLimits,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces: AsyncIterable<Uint8Array> | readonly Uint8Array[] = body ?? [];
  let read = 0;
  try {
    for await (const piece of pieces) {
      read += piece.length;
      if (read > bytes)
        throw new HttpLimitError(`the answer is larger than ${Math.floor(bytes / 1024)} KiB`);
      yield piece;
    }
  } catch (error) {
    throw signal.reason instanceof HttpLimitError ? signal.reason : error;
  }
}

/** Statuses whose answers have no body, and may be given none. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** A `fetch` for a package that asks by itself: its answers are read within limits before it has them. */
export const fetchWithin =
  (limitsOf: (url: URL, method: string) => HttpLimits): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = (init.method ?? 'GET').toUpperCase();
    const limits = limitsOf(url, method);
    const answer = await boundedFetch(input, init, limits);
    const { status, statusText, headers } = answer.response;
    const rest = { status, statusText, headers };
    if (method === 'HEAD' || BODILESS.has(status)) {
      answer.close();
      return new Response(null, rest);
    }
    // What has no limit is read as it is taken.
    if (limits.bytes === Infinity) return new Response(streamOf(answer), rest);
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of answer.pieces()) pieces.push(piece);
      return new Response(Buffer.concat(pieces), rest);
    } finally {
      answer.close();
    }
  };

function streamOf(answer: BoundedAnswer): ReadableStream<Uint8Array> {
  const pieces = answer.pieces();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await pieces.next();
        if (!next.done) {
          controller.enqueue(next.value);
          return;
        }
        answer.close();
        controller.close();
      } catch (error) {
        answer.close();
        controller.error(error);
      }
    },
    async cancel() {
      answer.close();
      await pieces.return();
    },
  });
}
