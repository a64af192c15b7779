import type { z } from 'zod';
import type { Language } from '../shared/languages.js';
import { inLanguage } from './language/in-language.js';
import { problemIn } from './language/sentence-in.js';
import { problemOf } from './problem-of.js';

/** After how long without news a stream shows that it is alive, in milliseconds. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': alive\n\n';

interface Shown {
  readonly schema: z.ZodType;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** Events as text, in the format of server-sent events. An error is the last one, under a name of its own. */
export async function* eventsOf(
  events: AsyncIterable<unknown>,
  { schema, language, signal }: Shown,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  const isOver = (): boolean => signal.aborted;
  let next = iterator.next();
  try {
    while (!isOver()) {
      const result = await orHeartbeat(next, signal);
      if (result === undefined) {
        if (!isOver()) yield HEARTBEAT;
        continue;
      }
      if (result.done) return;
      const shown = inLanguage(schema, schema.parse(result.value), language);
      yield `data: ${JSON.stringify(shown)}\n\n`;
      next = iterator.next();
    }
  } catch (error) {
    const problem = problemIn(language, problemOf(error).problem);
    yield `event: problem\ndata: ${JSON.stringify(problem)}\n\n`;
  } finally {
    // Whoever makes the events may wait for the next one: nobody waits for him.
    next.catch(() => undefined);
    void iterator.return?.().catch(() => undefined);
  }
}

async function orHeartbeat<T>(next: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const silence = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    timer = setTimeout(stop, HEARTBEAT_MS);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
