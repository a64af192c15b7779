import { z } from 'zod';
import { parseHours, parseDuration } from '../core/time.js';
import {
  describedSchema,
  filled,
  scalar,
  textAs,
  checkDocument,
  refuseOtherFile,
} from '../config/document.js';
import { isPostgresAddress } from '../core/ledger.js';
import { dirname, resolve } from 'node:path';
import { type PlacedDocument, readDocument } from '../config/document.js';
import { defined } from '../core/text.js';

/** One contact center, as its file describes it: defaults are filled in, and file names are absolute. */
export type Installation = DeepReadonly<Omit<z.output<typeof installationSchema>, '$schema'>>;

/** One custom card field of an installation. */
export type CardField = Installation['card'][string];

/** What the contact center's owners permit. Absent: not limited. */
export type Limits = Installation['limits'];

/** How to reach the contact center, besides its address. */
export type Transport = Installation['transport'];

/** A list of numbers that must not be called. */
export type SuppressSpec = NonNullable<Installation['suppress']>[number];
/** One that comes as a file. */
export type FileListSpec = Extract<SuppressSpec, { readonly file: string }>;
/** One that `cardline suppress` keeps. */
export type StoreListSpec = Extract<SuppressSpec, { readonly store: string }>;

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Names of the synchronization identifiers, in the order of the card configuration. */
export function syncFields(card: Installation['card']): string[] {
  return Object.entries(card)
    .filter(([, field]) => field.sync)
    .map(([name]) => name);
}

/**
 * Reads an installation file (YAML or JSON) and fills in the defaults. `${NAME}` in header values stays as it is.
 * File names are taken relative to the installation file.
 * @throws ConfigurationError with every mistake: file, line, column, and what would be right.
 */
export async function loadInstallation(file: string): Promise<Installation> {
  return checkInstallation(await readDocument(file));
}

/**
 * The same for a file that has been read, or is about to be written.
 * @throws ConfigurationError as `loadInstallation` does
 */
export function checkInstallation(document: PlacedDocument): Installation {
  refuseOtherFile(document, 'installation');
  const { ledger, suppress, numberPlan, transport, ...rest } = checkDocument(
    document,
    installationSchema,
  );
  const { $schema: _, ...read } = rest;
  const folder = dirname(document.file);
  const inFolder = (name: string | undefined) =>
    name === undefined ? undefined : resolve(folder, name);
  return {
    ...read,
    transport: {
      ...transport,
      caFile: inFolder(transport.caFile),
      certFile: inFolder(transport.certFile),
      keyFile: inFolder(transport.keyFile),
    },
    ...defined({
      ledger: ledger !== undefined && isPostgresAddress(ledger) ? ledger : inFolder(ledger),
      numberPlan: numberPlan && {
        ...numberPlan,
        file: resolve(folder, numberPlan.file),
        regions: resolve(folder, numberPlan.regions),
      },
      suppress: suppress?.map((list) =>
        'store' in list
          ? { ...list, store: resolve(folder, list.store) }
          : { ...list, file: resolve(folder, list.file) },
      ),
    }),
  };
}

export const FIELD_TYPES = ['Number', 'TextField', 'ComboBox', 'StatusField'] as const;

const count = z.int().min(1);

const cardField = z
  .strictObject({
    type: z.enum(FIELD_TYPES),
    sync: z.boolean().default(false),
    required: z.boolean().default(false),
    values: z.array(scalar.transform(String)).min(1).optional(),
    title: filled.optional(),
    aliases: z.array(filled).min(1).optional(),
  })
  .refine(
    ({ type, values }) => values === undefined || type === 'ComboBox' || type === 'StatusField',
    'only a ComboBox or StatusField has "values".',
  );

/** Characters that RFC 9110 allows in the name of a header. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters of one byte, spaces and tabs within: no line breaks, so no second header can be slipped in. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const headerName = z
  .string()
  .refine((name) => HEADER_NAME.test(name), 'this is not the name of a header.');
const headerValue = z
  .string()
  .refine(
    (text) => HEADER_VALUE.test(text),
    'a header holds one line of Latin letters, digits and signs.',
  );

const limits = z.strictObject({
  clientsPerRequest: count.optional(),
  requestBytes: count.optional(),
  concurrency: count.optional(),
  requestsPerSecond: z.number().positive().optional(),
  clientsPerSecond: z.number().positive().optional(),
  hours: textAs(parseHours).optional(),
});

const transport = z.strictObject({
  caFile: filled.optional(),
  certFile: filled.optional(),
  keyFile: filled.optional(),
  proxy: httpAddress('proxy').optional(),
  timeoutMs: count.default(60_000),
  serverDeadlineMs: z.int().min(0).optional(),
  responseBytes: count.default(64 * 1024 * 1024),
});

/** What holds where an installation does not say, and what the sandbox takes (interface.md 4.1). */
export const DEFAULT_RECOVERY = { in: 'body', name: 'recovery', value: true } as const;

const RECOVERY_PLACES = ['body', 'query', 'client'] as const;

const recovery = z.strictObject({
  in: z.enum(RECOVERY_PLACES).default(DEFAULT_RECOVERY.in),
  name: filled.default(DEFAULT_RECOVERY.name),
  value: scalar.default(DEFAULT_RECOVERY.value),
});

function httpAddress(what: string) {
  return z
    .string()
    .refine(
      (text) => isHttp(text),
      `this is not the address of a ${what}. It begins with http:// or https://.`,
    );
}

function isHttp(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const numberPlan = z
  .strictObject({
    file: filled,
    columns: z.strictObject({
      code: filled.optional(),
      from: filled,
      to: filled,
      region: filled,
    }),
    callingCode: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'write the digits alone, in quotes, such as "7".')
      .default('7'),
    digits: z.int().min(4).max(14).default(10),
    regions: filled,
  })
  .optional();

const scope = z.enum(['phone', 'row']).default('phone');

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'use two letters, such as RU.')
  .transform((code) => code.toUpperCase())
  .optional();

const duration = textAs(parseDuration, 'write a number and a unit: 12h, 31d, 4w or 5y.');

const storeList = z.strictObject({
  name: filled,
  store: filled,
  ttl: duration.optional(),
  country,
  scope,
});

const fileList = z
  .strictObject({
    name: filled,
    file: filled,
    format: z.enum(['numbers', 'csv', 'ftc']),
    column: filled.optional(),
    country,
    scope,
    maxAge: duration.optional(),
    old: z.enum(['stop', 'warn']).default('stop'),
  })
  .refine(({ format, column }) => (format === 'csv') === (column !== undefined), {
    message: '"column" belongs to format csv, which needs it.',
  })
  .refine(({ format, country }) => format !== 'ftc' || country === undefined, {
    message: 'format ftc has numbers of the United States alone. Remove "country".',
  });

const list = z.union([fileList, storeList]);

const suppress = z
  .array(list)
  .min(1)
  .refine((lists) => isEachOnce(lists.map((one) => one.name)), {
    message: 'two lists have the same name.',
  })
  .refine((lists) => isEachOnce(lists.flatMap((one) => ('store' in one ? [one.store] : []))), {
    message: 'two lists have the same store.',
  })
  .optional();

/** JSON Schema of an installation file. */
export const installationJsonSchema = (): Record<string, unknown> =>
  describedSchema(
    installationSchema,
    'cardline installation',
    new URL('./data/installation-keys.tsv', import.meta.url),
  );

/** An installation file: one contact center. */
export const installationSchema = z.strictObject({
  $schema: z.string().optional(),
  name: filled,
  baseUrl: httpAddress('contact center')
    .refine(
      (text) => !isHttp(text) || plainBase(text),
      'the address must not hold "?", "#" or a password.',
    )
    .transform((text) => text.replace(/\/+$/, '')),
  headers: z.record(headerName, headerValue).default({}),
  card: z
    .record(filled, cardField)
    .refine(
      (card) => Object.values(card).some((field) => field.sync),
      'no field is a synchronization identifier. Add "sync: true" to the fields that identify a client.',
    ),
  clientRoles: z.array(z.int()).min(1).optional(),
  limits: limits.default({}),
  transport: transport
    .refine(
      ({ certFile, keyFile }) => (certFile === undefined) === (keyFile === undefined),
      '"certFile" and "keyFile" belong together.',
    )
    .prefault({}),
  recovery: recovery.optional(),
  suppress,
  numberPlan,
  ledger: filled.optional(),
  sandbox: z
    .strictObject({
      blacklist: z.array(scalar.transform(String)).default([]),
    })
    .prefault({}),
});

function plainBase(text: string): boolean {
  const { search, hash, username, password } = new URL(text);
  return search === '' && hash === '' && username === '' && password === '';
}

function isEachOnce(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}
