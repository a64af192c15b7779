import { z } from 'zod';
import { QUALITY_PART_NAMES } from '../../core/quality.js';

/** What a route answers with: JSON, a stream of JSON events, or a file. `upload` takes a stream of bytes. */
type RouteKind = 'json' | 'upload' | 'stream' | 'download';

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
type RouteName = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`;

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

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** What a schema describes, as either side has it: nobody changes what travels. */
export type Sent<S extends z.ZodType> = Frozen<z.output<S>>;

type Given<T> = T extends z.ZodType ? Frozen<z.input<T>> : undefined;
type Checked<T> = T extends z.ZodType ? Sent<T> : undefined;
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
export type AnswerOf<R extends Route> = Sent<R['response']>;

let words = (sentence: string): string => sentence;

/** Words for the person. Engine and server have them in English; `withWords` has them in another language. */
export const sentenceSchema = z.string().transform((sentence) => words(sentence));

/** Has answers parsed with their sentences in other words. All of it is done at once, so that nothing comes between. */
export function withWords<T>(other: (sentence: string) => string, parse: () => T): T {
  const before = words;
  words = other;
  try {
    return parse();
  } finally {
    words = before;
  }
}

/** What went wrong, in words for the person. Holds nothing of the file's contents and no credentials. */
export const problemSchema = z.object({
  /** Short machine-readable word. */
  code: z.string(),
  sentence: sentenceSchema,
  /** What to do next. */
  next: sentenceSchema.optional(),
  /** Name of the field that is wrong, where one is. */
  field: z.string().optional(),
  /** Where in the file it is, which the sentence does not say. */
  place: z
    .object({
      sheet: z.string().optional(),
      line: z.number().optional(),
      row: z.number().optional(),
    })
    .optional(),
  /** What it is about, such as a run or a row. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export type PageProblem = Sent<typeof problemSchema>;

/** Where a mapping is wrong. */
export const mistakeSchema = z.object({
  line: z.number().nullable(),
  message: sentenceSchema,
  suggestion: sentenceSchema.nullable(),
});

/** What was found out about a list as a whole. */
export const listFactsSchema = z.object({
  /** How good it is, from 0 to 100; `null` in modes that call nobody, and before its rows are known. */
  quality: z
    .object({
      score: z.number(),
      rows: z.number(),
      /** Rows that are not sent for what is wrong with them. */
      lost: z.number(),
      /** Rows that do not count, since the mapping does not take them. */
      outside: z.number(),
      /** What was found about it beside its single rows; `null` where nothing was. */
      whole: z.object({ doubts: z.number(), notes: z.number(), points: z.number() }).nullable(),
      parts: z.array(
        z.object({
          part: z.enum(QUALITY_PART_NAMES),
          points: z.number(),
          of: z.number(),
          rows: z.number(),
        }),
      ),
    })
    .nullable(),
  /** What the checks of the mapping came to. */
  checks: z.array(z.object({ holds: z.boolean(), isStop: z.boolean(), sentence: sentenceSchema })),
});

export type ShownListFacts = Sent<typeof listFactsSchema>;
