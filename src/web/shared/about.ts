import { z } from 'zod';
import { CHANGE, READ, type RouteTable } from './route.js';

/** The contact center that everything on the page is about. Its credentials are not among it. */
export const centerSchema = z.object({
  name: z.string(),
  /** Host and port, as a person reads them. */
  address: z.string(),
  kind: z.enum(['production', 'local', 'sandbox']),
});

export const sampleSchema = z.object({ name: z.string(), bytes: z.number() });

export const aboutSchema = z.object({
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

export type About = z.output<typeof aboutSchema>;
export type Center = z.output<typeof centerSchema>;
