import { z } from 'zod';
import { CHANGE, type RouteTable } from './route.js';

const short = z.string().trim().max(500);

/** What an installation file is drafted from. Credentials are named, and never given. */
export const installationDraftSchema = z.object({
  /** Address of the contact center. */
  url: short,
  /** Header with the credentials, of which `variable` names those in the environment; `null`: none. */
  header: z
    .object({
      name: short,
      /** What stands before the credentials, such as `Bearer`; may be empty. */
      scheme: short,
      variable: z.string().regex(/^[A-Za-z_]\w{0,99}$/),
    })
    .nullable(),
  /** Synchronization identifiers. With the values of a client that exists, its card is read. */
  ids: z.array(z.object({ name: short.min(1), value: short })).max(20),
  /** Card fields beside those that are read, such as `budget:Number`. */
  fields: z.array(short).max(500),
});

export const setupRoutes = {
  /** Takes a contact center of one's own, with the samples. */
  'POST /api/setup/sandbox': { ...CHANGE, response: z.object({}) },
  /** Drafts an installation file, and takes its contact center. */
  'POST /api/setup/installation': {
    ...CHANGE,
    body: installationDraftSchema,
    response: z.object({
      /** Path of the file. */
      file: z.string(),
      fields: z.number(),
      /** Whether the card was read from a client. */
      isRead: z.boolean(),
      /** Variables that the environment does not have: cardline has to be started again with them. */
      missing: z.array(z.string()),
    }),
  },
} as const satisfies RouteTable;

export type InstallationDraft = z.output<typeof installationDraftSchema>;
