import type { z } from 'zod';

/** What a route answers with: JSON, a stream of JSON events, or a file. `upload` takes a stream of bytes. */
export type RouteKind = 'json' | 'upload' | 'stream' | 'download';

/** How a request shows that it comes from the page: by the session's token, by a ticket, or by the token of the start. */
export type RouteAccess = 'session' | 'ticket' | 'start';

/** One route of the server, as both sides see it. */
export interface Route {
  readonly kind: RouteKind;
  readonly access: RouteAccess;
  /** Whether it changes something: refused with `--read-only`. */
  readonly changes: boolean;
  /** Values of the query, which arrive as text. Default: none. */
  readonly query?: z.ZodObject;
  /** JSON body. Default: none. */
  readonly body?: z.ZodType;
  /** The answer, or one event of the stream. What it does not name never reaches the browser. */
  readonly response: z.ZodType;
}

/** Method and path. `:name` is a part of the path. The page needs no more of a route than its name. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`;

export type RouteTable = Readonly<Record<RouteName, Route>>;

/** What most routes are. */
export const READ = { kind: 'json', access: 'session', changes: false } as const;
export const CHANGE = { kind: 'json', access: 'session', changes: true } as const;
export const STREAM = { kind: 'stream', access: 'session', changes: false } as const;
export const DOWNLOAD = { kind: 'download', access: 'ticket', changes: false } as const;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parts of the path of a route, by name. */
export type ParamsOf<Name extends string> = Readonly<Record<NamesIn<Name>, string>>;

type Given<T> = T extends z.ZodType ? z.input<T> : undefined;
type Checked<T> = T extends z.ZodType ? z.output<T> : undefined;
type PartOf<R extends Route, Part extends 'query' | 'body'> = Part extends keyof R
  ? R[Part]
  : undefined;

/** What a caller gives to a route. */
export interface Asked<Name extends string, R extends Route> {
  readonly params: ParamsOf<Name>;
  readonly query: Given<PartOf<R, 'query'>>;
  readonly body: Given<PartOf<R, 'body'>>;
}

/** The same once the server has checked it. */
export interface Taken<Name extends string, R extends Route> {
  readonly params: ParamsOf<Name>;
  readonly query: Checked<PartOf<R, 'query'>>;
  readonly body: Checked<PartOf<R, 'body'>>;
}

/** What a route answers with. */
export type AnswerOf<R extends Route> = z.output<R['response']>;
