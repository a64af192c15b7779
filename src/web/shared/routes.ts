import { z } from 'zod';
import { MAX_FIELDS, MAX_NAME } from './page.js';

/**
 * The routes of the server: how a request shows where it comes from, whether it changes something, and what it asks for.
 * What is answered is what its handler gives. The page calls the routes by their names.
 */
export interface Route {
  /** What it answers with: JSON, a stream of JSON events, or a file. `upload` takes a stream of bytes. */
  readonly kind: 'json' | 'upload' | 'stream' | 'download';
  /** How a request shows that it comes from the page: by the session's token, by a ticket, or by the token of the start. */
  readonly access: 'session' | 'ticket' | 'start';
  /** Whether it changes something: refused with `--read-only`. */
  readonly changes: boolean;
  /** Values of the query, which arrive as text. Default: none. */
  readonly query?: z.ZodObject;
  /** JSON body. Default: none. */
  readonly body?: z.ZodType;
}

/** By method and path. `:name` is a part of the path. */
type RouteTable = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`, Route>
>;

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** What a schema describes, as either side has it: nobody changes what travels. */
type Sent<S extends z.ZodType> = Frozen<z.output<S>>;

const READ = { kind: 'json', access: 'session', changes: false } as const;
const CHANGE = { kind: 'json', access: 'session', changes: true } as const;
const STREAM = { kind: 'stream', access: 'session', changes: false } as const;

/** Of a page of many. */
const page = (max: number, usual: number) => ({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(max).default(usual),
});

export const aboutRoutes = {
  'POST /api/session': {
    ...{ kind: 'json', access: 'start', changes: false },
    body: z.object({ token: z.string().max(200) }),
  },
  'GET /api/about': READ,
  /** Asked every few seconds: whether the server is there. */
  'GET /api/alive': READ,
  /** A ticket for one download, within a minute. It stands in the address in place of the session's token. */
  'POST /api/tickets': {
    ...{ ...CHANGE, changes: false },
    body: z.object({ path: z.string().startsWith('/api/').max(1000) }),
  },
} as const satisfies RouteTable;

const short = z.string().trim().max(MAX_NAME);

/** A contact center as a person describes it. Credentials are named, and never given. */
const describedSchema = z.object({
  /** Its address, with or without `https://`. */
  url: short,
  /** Header with the credentials, of which `variable` names those in the environment; `null`: none. */
  header: z
    .object({
      name: z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/),
      /** What stands before the credentials, such as `Bearer`; may be empty. */
      scheme: z.string().regex(/^(?:[A-Za-z][A-Za-z-]{0,19})?$/),
      variable: z.string().regex(/^[A-Za-z_]\w{0,99}$/),
    })
    .nullable(),
});

const cardFieldSchema = z.object({
  name: short.min(1),
  type: z.enum(['TextField', 'Number', 'ComboBox', 'StatusField']),
  /** Whether clients are told apart by it. */
  sync: z.boolean(),
  required: z.boolean(),
});

export const setupRoutes = {
  /** Takes a contact center of one's own, with the samples. */
  'POST /api/setup/sandbox': CHANGE,
  /** The fields of a card, as a client that exists shows them. */
  'POST /api/setup/fields': {
    ...CHANGE,
    body: describedSchema.extend({
      ids: z.array(z.object({ name: short.min(1), value: short })).max(MAX_FIELDS),
    }),
  },
  /** Writes an installation file, and takes its contact center. */
  'POST /api/setup/installation': {
    ...CHANGE,
    body: describedSchema.extend({ fields: z.array(cardFieldSchema).min(1).max(MAX_FIELDS) }),
  },
} as const satisfies RouteTable;

export type DescribedCenter = Sent<typeof describedSchema>;
export type CardField = Sent<typeof cardFieldSchema>;

const sheet = z.string().nullable();
const headerRow = z.union([z.int().min(1), z.literal('none')]).nullable();
const encoding = z.string().max(40).nullable();
const delimiter = z.string().min(1).max(8).nullable();

/** How the file is read: what is not set is found out. */
export const sourceChoiceSchema = z.object({
  sheet: sheet.default(null),
  headerRow: headerRow.default(null),
  encoding: encoding.default(null),
  delimiter: delimiter.default(null),
});

export type SourceChoice = Sent<typeof sourceChoiceSchema>;

export const fileRoutes = {
  'GET /api/lists': READ,
  /** Makes a list for a file that is uploaded next, or of a sample. */
  'POST /api/lists': {
    ...CHANGE,
    body: z.union([
      z.object({ name: z.string().min(1).max(255), bytes: z.int().min(0) }),
      z.object({ sample: z.string() }),
    ]),
  },
  'PUT /api/lists/:list/file': { kind: 'upload', access: 'session', changes: true },
  'GET /api/lists/:list': READ,
  'DELETE /api/lists/:list': CHANGE,
  'GET /api/lists/:list/preview': READ,
  /** Counts the rows of the file to its end. */
  'GET /api/lists/:list/extent': STREAM,
  /** Changes how the file is read; `null` has it found out again. Where that cannot be read, nothing is changed. */
  'PATCH /api/lists/:list/source': {
    ...CHANGE,
    // What is not named stays. A schema with defaults, made partial, would set it back.
    body: z.object({ sheet, headerRow, encoding, delimiter }).partial(),
  },
} as const satisfies RouteTable;

/** Place of a value in the mapping. */
const path = z.array(z.union([z.string(), z.int().min(0)])).min(1);
const column = z.string().min(1);
const use = { column, at: path };

/** A condition on rows. Values are personal data. */
const conditionSchema = z.object({
  column: z.string(),
  is: z.enum(['in', 'notIn', 'empty', 'filled']),
  values: z.array(z.string()),
});

/** One click: what is to be changed in the mapping. */
const columnEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('become'),
    column,
    /** `null`: the column is not imported. */
    target: z.string().nullable(),
    /** The value that the column leaves; `new`: none. Absent: all that it is part of. */
    at: z.union([path, z.literal('new')]).optional(),
    /** Adds the column to those that the target has. */
    join: z.literal(true).optional(),
    phoneType: z.string().optional(),
    /** What stands beside it. Absent: what suits the cells of the column. */
    keys: z.record(z.string(), z.unknown()).optional(),
  }),
  /** Takes what is proposed for something that is missing. */
  z.object({ kind: z.literal('propose'), target: z.string() }),
  z.object({
    kind: z.literal('step'),
    ...use,
    step: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('withoutStep'), ...use, name: z.string() }),
  z.object({
    kind: z.literal('mapValue'),
    ...use,
    from: z.string(),
    to: z.string().nullable(),
    /** Values that stay as they are: a map rejects what it does not know. */
    keep: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('blank'), ...use, words: z.array(z.string()) }),
  z.object({ kind: z.literal('invalid'), ...use, invalid: z.enum(['reject', 'drop']) }),
  z.object({ kind: z.literal('default'), ...use, value: z.string().nullable() }),
  /** Takes the rows for which all of these hold. */
  z.object({ kind: z.literal('conditions'), conditions: z.array(conditionSchema).max(20) }),
  /** Gives every row the same value; `null`: none. */
  z.object({ kind: z.literal('constant'), target: z.string(), value: z.string().nullable() }),
]);

/** What a mapping begins anew with. `readable` is the last text that was YAML. */
const beginWithSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), name: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('suggested') }),
  z.object({ kind: z.literal('readable') }),
]);

const revision = z.object({ revision: z.string() });

export const columnsRoutes = {
  'GET /api/lists/:list/columns': READ,
  'POST /api/lists/:list/columns/edits': {
    ...CHANGE,
    body: revision.extend({
      edits: z.array(columnEditSchema).max(50),
      /** Ids of the decisions that it answers, as the first choice or another. */
      answers: z.array(z.string()).max(20).optional(),
      /** Shows what they would come to, and changes nothing. */
      trial: z.literal(true).optional(),
    }),
  },
  /** The YAML as it was typed. With mistakes it is kept all the same, and the columns stay as they were. */
  'PUT /api/lists/:list/mapping': {
    ...CHANGE,
    body: revision.extend({ yaml: z.string().max(1_000_000) }),
  },
  'POST /api/lists/:list/mapping/use': {
    ...CHANGE,
    body: revision.extend({ from: beginWithSchema }),
  },
  /** Saves it under a name, in the place of the one that has it only where that was asked. */
  'POST /api/lists/:list/mapping/save': {
    ...CHANGE,
    body: z.object({
      /** `null`: as it is now. */
      revision: z.string().nullable(),
      name: z.string().min(1).max(100),
      overwrite: z.boolean(),
    }),
  },
} as const satisfies RouteTable;

export type ColumnEdit = Sent<typeof columnEditSchema>;
export type Condition = Sent<typeof conditionSchema>;
export type BeginWith = Sent<typeof beginWithSchema>;

const place = z.object({
  sheet: z.string().nullable(),
  row: z.int().min(1),
  column: z.string().min(1),
});

const group = z.string().max(1000);

export const checkRoutes = {
  /** Begins a check where none fits, and shows its progress, to its end. */
  'GET /api/lists/:list/check': STREAM,
  'GET /api/lists/:list/check/rows': { ...READ, query: z.object({ group, ...page(200, 50) }) },
  /** The rules that mend rows of a group. */
  'GET /api/lists/:list/check/mends': { ...READ, query: z.object({ group }) },
  /** What mends rows of a group whatever their values are, tried on the first rows. */
  'GET /api/lists/:list/check/remedies': { ...READ, query: z.object({ group }) },
  /** A rule for all rows with the same value, which becomes a part of the mapping. */
  'POST /api/lists/:list/check/rules': {
    ...CHANGE,
    body: z.object({
      rule: z.string(),
      /** What the value is replaced by; of no use to other rules. */
      to: z.string().max(4000).default(''),
    }),
  },
  'GET /api/lists/:list/corrections': READ,
  /** One cell as it should be; `null` for an empty one. The file itself is never touched. */
  'PUT /api/lists/:list/corrections': {
    ...CHANGE,
    body: z.object({ cell: z.string(), value: z.string().max(4000).nullable() }),
  },
  /** Takes corrections back. */
  'DELETE /api/lists/:list/corrections': { ...CHANGE, body: place },
} as const satisfies RouteTable;

/** What was chosen for the run. */
export const importChoiceSchema = z.object({
  /** Id; `null`: as the mapping says. */
  campaign: z.int().nullable(),
  /** Whether a few rows are sent first, and the others only if these pass; `null`: where there are many. */
  canary: z.boolean().nullable(),
  requestsPerSecond: z.int().min(1).max(1_000_000).nullable(),
  clientsPerSecond: z.int().min(1).max(1_000_000).nullable(),
  /** Whether deleted clients are restored; `null`: as the mapping says. */
  recovery: z.boolean().nullable(),
});

export type ImportChoice = Sent<typeof importChoiceSchema>;

/** How clients are called, as the page has words for it. */
const CALLING_MODES = ['PROGRESSIVE_NEW', 'PREDICTIVE_NEW', 'PREVIOUS_PREVIEW_NEW'] as const;

export type CallingMode = (typeof CALLING_MODES)[number];

export const importRoutes = {
  /** How the import stands that would start; ends when no more becomes known of it. */
  'GET /api/lists/:list/import': STREAM,
  'PATCH /api/lists/:list/import': { ...CHANGE, body: importChoiceSchema.partial() },
  /** Makes a campaign: as another one, or with these settings. */
  'POST /api/campaigns': {
    ...CHANGE,
    body: z.object({
      name: z.string().trim().min(1).max(255),
      like: z.int().nullable(),
      callingMode: z.enum(CALLING_MODES),
      callingSearchSpaceId: z.int(),
      callStatusRuleProcessorId: z.int(),
      start: z.boolean(),
    }),
  },
  'GET /api/campaigns': READ,
  /** Starts the run, or finds the one of the list that is at work. Refused where the plan has changed since. */
  'POST /api/lists/:list/run': {
    ...CHANGE,
    body: z.object({
      revision: z.string(),
      /** The number of rows, where it has to be typed. */
      typed: z.int().nullable(),
      /** Whether all rows are sent, also those that an earlier run has sent. */
      again: z.boolean(),
    }),
  },
  /** Events of the stream are the whole state, so that none has to be kept. */
  'GET /api/runs/:run/live': STREAM,
  /** `resume` goes on with a run that was stopped or broke off. */
  'POST /api/runs/:run/control': {
    ...CHANGE,
    body: z.object({ what: z.enum(['pause', 'continue', 'stop', 'resume']) }),
  },
} as const satisfies RouteTable;

const id = z.coerce.number().int().min(0).optional();

export const resultRoutes = {
  'GET /api/runs/:run/result': READ,
  'GET /api/runs/:run/rows': {
    ...READ,
    query: z.object({ outcome: z.string().optional(), reason: id, remark: id, ...page(200, 50) }),
  },
  'GET /api/runs/:run/files/:file': { kind: 'download', access: 'ticket', changes: false },
  /** Makes a list of rejects, to mend and send. */
  'POST /api/runs/:run/mend': { ...CHANGE, body: z.object({ file: z.string() }) },
  'GET /api/runs/:run/undo': READ,
  /** `rows`: what was typed; refused where an undo would take back another number. */
  'POST /api/runs/:run/undo': { ...CHANGE, body: z.object({ rows: z.int() }) },
  'POST /api/runs/:run/reconcile': CHANGE,
  'POST /api/runs/:run/resume': CHANGE,
} as const satisfies RouteTable;

export const historyRoutes = {
  'GET /api/runs': {
    ...READ,
    query: z.object({
      text: z.string().max(200).optional(),
      state: z.enum(['running', 'finished', 'open', 'stopped', 'broken_off']).optional(),
      mode: z.string().max(20).optional(),
      ...page(100, 25),
    }),
  },
  'GET /api/watch': READ,
  /** Counts the rows of a run whose process could not. */
  'GET /api/runs/:run/counts': READ,
  'GET /api/runs/:run/compared/:other': STREAM,
  /** How the runs of files named alike went. */
  'GET /api/runs/:run/trend': READ,
} as const satisfies RouteTable;

export const routes = {
  ...aboutRoutes,
  ...setupRoutes,
  ...fileRoutes,
  ...columnsRoutes,
  ...checkRoutes,
  ...importRoutes,
  ...resultRoutes,
  ...historyRoutes,
} as const satisfies RouteTable;

type Routes = typeof routes;
export type Name = keyof Routes;
export type KindOf<N extends Name> = Routes[N]['kind'];

/** Names of the routes that answer in this way. */
export type NameOf<Kind> = { [N in Name]: KindOf<N> extends Kind ? N : never }[Name];

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parts of the path of a route, by name. */
export type ParamsOf<N extends string> = Readonly<Record<NamesIn<N>, string>>;

type SchemaOf<N extends Name, Part> = Part extends keyof Routes[N] ? Routes[N][Part] : undefined;
type Given<S> = S extends z.ZodType ? Frozen<z.input<S>> : undefined;
type Checked<S> = S extends z.ZodType ? Sent<S> : undefined;

/** What a caller gives to a route. */
export interface AskedOf<N extends Name> {
  readonly params: ParamsOf<N>;
  readonly query: Given<SchemaOf<N, 'query'>>;
  readonly body: Given<SchemaOf<N, 'body'>>;
}

/** The same once the server has checked it. */
export interface TakenOf<N extends Name> {
  readonly params: ParamsOf<N>;
  readonly query: Checked<SchemaOf<N, 'query'>>;
  readonly body: Checked<SchemaOf<N, 'body'>>;
}
