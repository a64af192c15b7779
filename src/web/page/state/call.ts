import type { PageProblem } from '../../shared/errors.js';
import type { ParamsOf } from '../../shared/route.js';
import type { Answer, AskedOf, Name, NameOf } from '../../shared/routes.js';
import { language } from './language.js';
import { ownProblem } from '../messages/own-problems.js';
import { isBack, noteGone, noteHere } from './server.js';
import { keepSession, session } from './session.js';

/** What a route needs: the parts of its path, its query and its body, where it has them. */
export type Ask<N extends Name> = ([keyof ParamsOf<N>] extends [never]
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
export async function request(name: Name, ask: LooseAsk): Promise<Response> {
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
    noteGone();
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
