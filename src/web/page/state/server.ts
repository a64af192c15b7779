import { signal } from '@preact/signals';
import { keepSession, session } from './session.js';

/** Whether the server answers. */
export const isGone = signal(false);

/** How often it is asked whether the server is there, in milliseconds, and how long it has for its answer. */
const ASK_MS = 4_000;
const AGAIN_MS = 1_000;
const PATIENCE_MS = 3_000;

let waiting: (() => void)[] = [];

export function noteGone(): void {
  isGone.value = true;
}

export function noteHere(): void {
  isGone.value = false;
  const all = waiting;
  waiting = [];
  for (const go of all) go();
}

/** Resolves when the server answers again. */
export const isBack = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

/** Asks every few seconds, so that the page says it at once and goes on by itself. */
export function watchServer(): void {
  const ask = async (): Promise<void> => {
    if (session.value !== null && (isGone.value || !document.hidden)) await askOnce(session.value);
    setTimeout(() => void ask(), isGone.value ? AGAIN_MS : ASK_MS);
  };
  void ask();
}

async function askOnce(token: string): Promise<void> {
  const headers = { 'x-cardline-session': token };
  try {
    const { status } = await fetch('/api/alive', {
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    noteHere();
    // It was started again since, and does not know this tab.
    if (status === 401) keepSession(null);
  } catch {
    noteGone();
  }
}
