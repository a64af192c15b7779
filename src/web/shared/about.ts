import { z } from 'zod';
import { MAX_FIELDS, MAX_NAME } from './in-browser.js';
import { CHANGE, READ, type RouteTable, type Sent } from './route.js';

/** The contact center that everything on the page is about. Its credentials are not among it. */
const centerSchema = z.object({
  name: z.string(),
  /** Host and port, as a person reads them. */
  address: z.string(),
  kind: z.enum(['production', 'local', 'sandbox']),
});

const sampleSchema = z.object({ name: z.string(), bytes: z.number() });

const aboutSchema = z.object({
  version: z.string(),
  /** `null` without an installation: files can be looked at, and nothing else. */
  center: centerSchema.nullable(),
  readOnly: z.boolean(),
  /** Whether personal data is hidden. */
  mask: z.boolean(),
  /** Files that come with cardline, offered with the sandbox. */
  samples: z.array(sampleSchema),
  /** Path of the installation file that the page can make; `null` where it has a contact center. */
  setup: z.string().nullable(),
  /** Whether there is a pickup file, whose sources can be asked for. */
  watches: z.boolean(),
  /** The list to begin with, where the command line named a file. */
  open: z.string().nullable(),
});

export const aboutRoutes = {
  'POST /api/session': {
    ...{ kind: 'json', access: 'start', changes: false },
    body: z.object({ token: z.string().max(200) }),
    response: z.object({ session: z.string() }),
  },
  'GET /api/about': { ...READ, response: aboutSchema },
  /** Asked every few seconds: whether the server is there. */
  'GET /api/alive': { ...READ, response: z.object({ alive: z.literal(true) }) },
  /** A ticket for one download, within a minute. It stands in the address in place of the session's token. */
  'POST /api/tickets': {
    ...{ ...CHANGE, changes: false },
    body: z.object({ path: z.string().startsWith('/api/').max(1000) }),
    response: z.object({ ticket: z.string() }),
  },
} as const satisfies RouteTable;

export type About = Sent<typeof aboutSchema>;
export type Center = Sent<typeof centerSchema>;

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
  'POST /api/setup/sandbox': { ...CHANGE, response: z.object({}) },
  /** The fields of a card, as a client that exists shows them. */
  'POST /api/setup/fields': {
    ...CHANGE,
    body: describedSchema.extend({
      ids: z.array(z.object({ name: short.min(1), value: short })).max(MAX_FIELDS),
    }),
    response: z.object({
      fields: z.array(cardFieldSchema),
      /** Fields that are too many, or have too long a name. */
      leftOut: z.number(),
    }),
  },
  /** Writes an installation file, and takes its contact center. */
  'POST /api/setup/installation': {
    ...CHANGE,
    body: describedSchema.extend({ fields: z.array(cardFieldSchema).min(1).max(MAX_FIELDS) }),
    response: z.object({
      /** Path of the file. */
      file: z.string(),
      fields: z.number(),
      /** Variables that the environment does not have: cardline has to be started again with them. */
      missing: z.array(z.string()),
    }),
  },
} as const satisfies RouteTable;

export type DescribedCenter = Sent<typeof describedSchema>;
export type CardField = Sent<typeof cardFieldSchema>;
