import type { ParamsOf, Name, NameOf, AskedOf } from '../../shared/routes.js';
import type { PageProblem, Answer } from './answers.js';
import { useSignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { language, t } from './language.js';

/**
 * The events of a stream, until the server ends it. Each is the whole state, so that a stream that breaks off is asked
 * for again. (`EventSource` cannot send the session's token.)
 * @throws CallError with what the server says
 */
async function* events<N extends NameOf<'stream'>>(
  name: N & Name,
  ask: LooseAsk & { readonly signal: AbortSignal },
): AsyncGenerator<Answer<N>> {
  for (;;) {
    const { body } = await request(name, ask);
    if (!body) return;
    try {
      for await (const { event, data } of messages(body)) {
        // The server has checked it by the same table.
        if (event === 'problem') throw new CallError(422, JSON.parse(data) as PageProblem);
        yield JSON.parse(data) as Answer<N>;
      }
      return;
    } catch (error) {
      if (error instanceof CallError || ask.signal.aborted) throw error;
      isGone.value = true;
      await isBack();
    }
  }
}

async function* messages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<{ event: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (text + value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const field = (name: string): string =>
          new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? '';
        if (field('data') !== '') yield { event: field('event'), data: field('data') };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Something that is asked for: each of its states is drawn on purpose. */
export interface Asked<T> {
  /** `null` until it is there. */
  readonly found: T | null;
  readonly problem: PageProblem | null;
  readonly isLoading: boolean;
  /** Asks once more. What was there stays until the next answer. */
  readonly again: () => void;
}

/** How often it is asked for again, in milliseconds. */
const POLL_MS = 3_000;

interface Asking<T> {
  /** Whether it is asked for again in a while. Default: never. */
  readonly goesOn?: (found: T) => boolean;
  /** Whether what was there stays also while another key is asked for. */
  readonly keeps?: boolean;
}

/** Asks for something, anew whenever `key` changes. What comes late for an earlier key is dropped. */
export function useAsked<T>(
  load: (signal: AbortSignal) => Promise<T>,
  key: string,
  { goesOn, keeps = false }: Asking<T> = {},
): Asked<T> {
  const none = { found: null, problem: null, isLoading: true };
  const state = useSignal<Omit<Asked<T>, 'again'>>(none);
  const asked = useSignal(0);
  const last = useRef(key);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const found = await load(signal);
        if (signal.aborted) return;
        state.value = { found, problem: null, isLoading: false };
        if (goesOn?.(found) === true) timer = setTimeout(() => void ask(), POLL_MS);
      } catch (error) {
        if (!signal.aborted)
          state.value = { found: null, problem: problemOf(error), isLoading: false };
      }
    };
    state.value = keeps || last.current === key ? { ...state.peek(), isLoading: true } : none;
    last.current = key;
    void ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [key, asked.value]);
  return { ...state.value, again: () => asked.value++ };
}

/** Takes what is asked for, anew whenever one of the keys changes. What cannot be had changes nothing. */
export function useAnswer<T>(
  ask: false | ((signal: AbortSignal) => Promise<T>),
  take: (found: T) => void,
  keys: readonly unknown[],
): void {
  useEffect(() => {
    if (ask === false) return;
    const controller = new AbortController();
    ask(controller.signal).then(take, () => undefined);
    return () => controller.abort();
  }, [...keys]);
}

interface Following<N extends Name> {
  readonly next: (event: Answer<N>) => void;
  readonly failed: (problem: PageProblem) => void;
  /** Called where the stream has come to its end. */
  readonly end?: (() => void) | undefined;
}

/** Follows a stream, anew whenever `version` or what it is of changes. What comes late is dropped. */
export function useEvents<N extends NameOf<'stream'>>(
  name: N & Name,
  params: ParamsOf<N>,
  version: unknown,
  { next, failed, end }: Following<N>,
): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const event of events(name, { params, signal })) {
        if (signal.aborted) return;
        next(event);
      }
      if (!signal.aborted) end?.();
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) failed(problemOf(error));
    });
    return () => controller.abort();
  }, [...Object.values(params), version]);
}

/** What a person asks for, and why the last of it was not done. `attempt` gives whether it was. */
export function useAttempt() {
  const problem = useSignal<PageProblem | null>(null);
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    problem.value = null;
    try {
      await work();
      return true;
    } catch (error) {
      problem.value = problemOf(error);
      return false;
    }
  };
  return { problem, attempt };
}

/** What is shown of an error. */
export function problemOf(error: unknown): PageProblem {
  if (error instanceof CallError) return error.problem;
  return ownProblem('internal');
}

/** What a route needs: the parts of its path, its query and its body, where it has them. */
type Ask<N extends Name> = ([keyof ParamsOf<N>] extends [never]
  ? object
  : { readonly params: ParamsOf<N> }) &
  (undefined extends AskedOf<N>['query'] ? object : { readonly query: AskedOf<N>['query'] }) &
  (undefined extends AskedOf<N>['body'] ? object : { readonly body: AskedOf<N>['body'] }) & {
    readonly signal?: AbortSignal;
  };

/** The server has answered with a problem. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly problem: PageProblem,
  ) {
    super(problem.sentence);
  }
}

interface LooseAsk {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Longest time without an answer after which the server is taken for gone, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Asks the server. What only reads waits while the server is gone, and goes on by itself.
 * @throws CallError with what the server says, or with `gone`
 */
export async function call<N extends NameOf<'json'>>(name: N, ask: Ask<N>): Promise<Answer<N>> {
  const response = await request(name, ask);
  // The server has checked it by the same table.
  return (await response.json()) as Answer<N>;
}

/** The answer itself, for streams. @throws as `call` does */
async function request(name: Name, ask: LooseAsk): Promise<Response> {
  const { path, init } = requestOf(name, ask);
  const reads = name.startsWith('GET ');
  for (;;) {
    const response = await answered(path, init, ask.signal);
    if (response?.ok === true) return response;
    if (response) throw await problemIn(response);
    if (!reads) throw new CallError(0, ownProblem('gone'));
    await isBack();
  }
}

function requestOf(name: Name, { params = {}, query, body }: LooseAsk) {
  const [method = 'GET', template = ''] = name.split(' ');
  const path = template.replace(/:(\w+)/g, (_, part: string) => params[part] ?? '');
  const all = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  const given = all.filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  const headers: Record<string, string> = {
    'x-cardline-session': session.value ?? '',
    'accept-language': language,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return { path: search === '' ? path : `${path}?${search}`, init };
}

/** `undefined`: there was no answer. */
async function answered(
  path: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  const signals = signal ? [signal, patience.signal] : [patience.signal];
  try {
    const response = await fetch(path, { ...init, signal: AbortSignal.any(signals) });
    noteHere();
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    isGone.value = true;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Puts an answer that is a problem into an error. A token that is not known any more is forgotten. */
export async function problemIn(response: Pick<Response, 'status' | 'json'>): Promise<CallError> {
  const problem = (await response.json()) as PageProblem;
  if (problem.code === 'no_session') keepSession(null);
  return new CallError(response.status, problem);
}

/** Whether the server answers. */
export const isGone = signal(false);

/** How often it is asked whether the server is there, in milliseconds, and how long it has for its answer. */
const ASK_MS = 4_000;
const AGAIN_MS = 1_000;
const SERVER_MS = 3_000;

let waiting: (() => void)[] = [];

function noteHere(): void {
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
    if (session.value !== null && (isGone.value || !document.hidden))
      try {
        const { status } = await fetch('/api/alive', {
          headers: { 'x-cardline-session': session.value },
          signal: AbortSignal.timeout(SERVER_MS),
        });
        noteHere();
        // It was started again since, and does not know this tab.
        if (status === 401) keepSession(null);
      } catch {
        isGone.value = true;
      }
    setTimeout(() => void ask(), isGone.value ? AGAIN_MS : ASK_MS);
  };
  void ask();
}

/** The only thing that the browser keeps, for as long as the tab is open. */
const KEY = 'cardline-session';

/** Token of this tab; `null` before it has one, and when the server does not know it. */
export const session = signal<string | null>(sessionStorage.getItem(KEY));

export function keepSession(token: string | null): void {
  session.value = token;
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}

/** What goes wrong without an answer of the server, which has the words for everything else. */
export function ownProblem(code: keyof typeof ownText): PageProblem {
  const { sentence, next } = ownText[code];
  return { code, sentence: t(sentence), next: t(next) };
}

const ownText = {
  gone: { sentence: 'cardline does not answer.', next: 'Try again as soon as it is there.' },
  broken_off: { sentence: 'The upload broke off.', next: 'Choose the file again.' },
  internal: {
    sentence: 'This is an internal error of the page.',
    next: 'Nothing that was recorded is lost. Reload the page.',
  },
} as const;
