import { createInterface } from 'node:readline/promises';
import { UsageError } from '../core/errors.js';
import { note, StoppedError, type Terminal } from './output/output.js';

/** Asks the person at the terminal, one question after the other. */
export interface Questions {
  /** Resolves with the answer that `accept` takes; what it throws as a UsageError is shown, and asked for again. */
  ask<T>(question: string, accept: (answer: string) => T): Promise<T>;
  close(): void;
}

export function openQuestions({ stdin, stdout, stderr, signal }: Terminal): Questions {
  // Signals are handled in one place only, so the terminal must not be taken over.
  const lines = createInterface({ input: stdin, terminal: false });
  const close = (): void => lines.close();
  signal.addEventListener('abort', close, { once: true });
  // Lines that were pasted together wait for their questions.
  const answers = lines[Symbol.asyncIterator]();
  const next = async (question: string): Promise<string> => {
    stdout.write(`${question} `);
    const answer = await answers.next();
    if (signal.aborted) throw new StoppedError('Stopped.');
    if (answer.done === true) throw new StoppedError('No more answers came. Nothing was done.');
    return answer.value.trim();
  };
  return {
    ask: async (question, accept) => {
      for (;;) {
        const answer = await next(question);
        try {
          return accept(answer);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          note(stderr, error.message);
        }
      }
    },
    close: () => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}
