import { z } from 'zod';
import { parseHours } from '../core/hours.js';
import { filled, scalar } from '../config/scalar.js';
import { parseDuration } from '../core/time.js';

export const FIELD_TYPES = ['Number', 'TextField', 'ComboBox', 'StatusField'] as const;

const count = z.int().min(1);

const cardField = z
  .strictObject({
    type: z.enum(FIELD_TYPES).describe('Number, TextField, ComboBox or StatusField.'),
    sync: z
      .boolean()
      .default(false)
      .describe('Whether it is a synchronization identifier. Default: false.'),
    required: z.boolean().default(false).describe('Whether a client must have it. Default: false.'),
    values: z
      .array(scalar.transform(String))
      .min(1)
      .optional()
      .describe('Values that a ComboBox or StatusField allows. Default: any.'),
    title: filled
      .optional()
      .describe('What people call the field, for "cardline suggest". Default: its name.'),
    aliases: z
      .array(filled)
      .min(1)
      .optional()
      .describe('Names of columns that hold the field, for "cardline suggest". Default: none.'),
  })
  .refine(
    ({ type, values }) => values === undefined || type === 'ComboBox' || type === 'StatusField',
    'only a ComboBox or StatusField has "values".',
  );

/** Characters that RFC 9110 allows in the name of a header. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters of one byte, spaces and tabs within: no line breaks, so no second header can be slipped in. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const name = filled.describe('Name of the list, for reports.');

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
  clientsPerRequest: count.optional().describe('Most clients in one request. Default: no limit.'),
  requestBytes: count.optional().describe('Largest request body in bytes. Default: no limit.'),
  concurrency: count.optional().describe('Most requests at the same time. Default: no limit.'),
  requestsPerSecond: z
    .number()
    .positive()
    .optional()
    .describe('Most requests a second. Default: no limit.'),
  clientsPerSecond: z
    .number()
    .positive()
    .optional()
    .describe('Most clients a second. Default: no limit.'),
  hours: z
    .string()
    .transform((text, context) => {
      const hours = parseHours(text);
      if (!('mistake' in hours)) return hours;
      context.addIssue({ code: 'custom', message: hours.mistake });
      return z.NEVER;
    })
    .optional()
    .describe(
      'Time of every day in which requests are permitted, such as "20:00-06:00 Europe/Moscow". Default: always.',
    ),
});

const transport = z.strictObject({
  caFile: filled
    .optional()
    .describe('PEM file of an own certificate authority, relative to this file.'),
  certFile: filled.optional().describe('PEM file of a client certificate, relative to this file.'),
  keyFile: filled.optional().describe("PEM file of that certificate's key, relative to this file."),
  proxy: httpAddress('proxy')
    .optional()
    .describe('Address of an HTTP or HTTPS proxy. Default: none.'),
  timeoutMs: count
    .default(60_000)
    .describe('Total time for one request, in milliseconds. Default: 60000.'),
  serverDeadlineMs: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Time after which the contact center surely no longer works on a request, in milliseconds, from the moment at which its answer was lost; clients that it did not create by then are sent again. Default: 60000, or timeoutMs if that is more.',
    ),
  responseBytes: count
    .default(64 * 1024 * 1024)
    .describe('Largest response body that is accepted, in bytes. Default: 67108864.'),
});

/** What holds where an installation does not say, and what the sandbox takes (interface.md 4.1). */
export const DEFAULT_RECOVERY = { in: 'body', name: 'recovery', value: true } as const;

const RECOVERY_PLACES = ['body', 'query', 'client'] as const;

const recovery = z.strictObject({
  in: z
    .enum(RECOVERY_PLACES)
    .describe(
      'body: beside "clients"; query: in the address; client: in each client. Default: body.',
    )
    .default(DEFAULT_RECOVERY.in),
  name: filled.describe('Name of the parameter. Default: recovery.').default(DEFAULT_RECOVERY.name),
  value: scalar
    .describe('Its value when it is asked for. Default: true.')
    .default(DEFAULT_RECOVERY.value),
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

/** The section `numberPlan` of an installation. */
const numberPlan = z
  .strictObject({
    file: filled.describe('CSV file with a range of numbers in each row, relative to this file.'),
    columns: z
      .strictObject({
        code: filled
          .optional()
          .describe(
            'Column with the digits before the others, such as the area code. Default: none.',
          ),
        from: filled.describe('Column with the first number of the range.'),
        to: filled.describe('Column with the last number of the range.'),
        region: filled.describe('Column with the region.'),
      })
      .describe('What the columns of the file are called.'),
    callingCode: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'write the digits alone, in quotes, such as "7".')
      .default('7')
      .describe('Calling code that stands before every number. Default: "7", of Russia.'),
    digits: z
      .int()
      .min(4)
      .max(14)
      .default(10)
      .describe('Digits of a number without the calling code. Default: 10.'),
    regions: filled.describe(
      'CSV file with the columns region and zone: the time zone of each region, relative to this file.',
    ),
  })
  .optional()
  .describe(
    'Where numbers were given out, which makes time zones of mobiles certain. Default: none.',
  );

const scope = z
  .enum(['phone', 'row'])
  .default('phone')
  .describe(
    'phone: a number on the list is left out, and the row where no other is left; row: the whole row is. ' +
      'Default: phone.',
  );

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'use two letters, such as RU.')
  .transform((code) => code.toUpperCase())
  .optional()
  .describe(
    'Country of numbers without a country code, two letters. Default: all numbers have one; US with ftc.',
  );

const duration = z.string().transform((text, context) => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: 'custom', message: 'write a number and a unit: 12h, 31d, 4w or 5y.' });
  return z.NEVER;
});

/** A list that "cardline suppress" keeps. */
const storeList = z.strictObject({
  name,
  store: filled.describe(
    'File in which "cardline suppress" keeps the list, relative to this file.',
  ),
  ttl: duration
    .optional()
    .describe('How long a number stays on it, such as 5y: h, d, w or y. Default: for ever.'),
  country,
  scope,
});

/** A list that comes as a file. */
const fileList = z
  .strictObject({
    name,
    file: filled.describe('File with the numbers, relative to this file; .gz too.'),
    format: z
      .enum(['numbers', 'csv', 'ftc'])
      .describe(
        'numbers: one a line; csv: a table with a header; ftc: area code and number a line, as the national ' +
          'registry of the United States has them.',
      ),
    column: filled.optional().describe('With csv: the column with the numbers.'),
    country,
    scope,
    maxAge: duration
      .optional()
      .describe('How old the list may be, such as 31d: h, d, w or y. Default: any age.'),
    old: z
      .enum(['stop', 'warn'])
      .default('stop')
      .describe(
        'What becomes of a run when the list is older: stop: nothing is sent; warn. Default: stop.',
      ),
  })
  .refine(({ format, column }) => (format === 'csv') === (column !== undefined), {
    message: '"column" belongs to format csv, which needs it.',
  })
  .refine(({ format, country }) => format !== 'ftc' || country === undefined, {
    message: 'format ftc has numbers of the United States alone. Remove "country".',
  });

const list = z.union([fileList, storeList]);

/** The section `suppress` of an installation. */
const suppress = z
  .array(list)
  .min(1)
  .refine((lists) => isEachOnce(lists.map((one) => one.name)), {
    message: 'two lists have the same name.',
  })
  .refine((lists) => isEachOnce(lists.flatMap((one) => ('store' in one ? [one.store] : []))), {
    message: 'two lists have the same store.',
  })
  .optional()
  .describe('Lists of numbers that must not be called. Default: none.');

/** An installation file: one contact center. */
export const installationSchema = z.strictObject({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  name: filled.describe('Name of the installation, for people.'),
  baseUrl: httpAddress('contact center')
    .refine(
      (text) => !isHttp(text) || plainBase(text),
      'the address must not hold "?", "#" or a password.',
    )
    .transform((text) => text.replace(/\/+$/, ''))
    .describe('Address of the contact center; the paths of the interface are appended.'),
  headers: z
    .record(headerName, headerValue)
    .default({})
    .describe('Headers of every request; ${NAME} is replaced from the environment. Default: none.'),
  card: z
    .record(filled, cardField)
    .refine(
      (card) => Object.values(card).some((field) => field.sync),
      'no field is a synchronization identifier. Add "sync: true" to the fields that identify a client.',
    )
    .describe('Card configuration: the custom fields by name.'),
  clientRoles: z
    .array(z.int())
    .min(1)
    .optional()
    .describe('Client roles that exist. Default: any.'),
  limits: limits
    .default({})
    .describe("What the contact center's owners permit. Default: no limits."),
  transport: transport
    .refine(
      ({ certFile, keyFile }) => (certFile === undefined) === (keyFile === undefined),
      '"certFile" and "keyFile" belong together.',
    )
    .prefault({})
    .describe('How to reach the contact center, besides its address.'),
  recovery: recovery
    .optional()
    .describe(
      'How the contact center is asked to restore a deleted client that is added again. Default: "recovery: true" in the body.',
    ),
  suppress,
  numberPlan,
  ledger: filled
    .optional()
    .describe(
      'File in which the runs on this contact center are kept, relative to this file, or postgres://… for a database. Default: cardline.db in the folder of the command.',
    ),
  sandbox: z
    .strictObject({
      blacklist: z
        .array(scalar.transform(String))
        .default([])
        .describe('Phone numbers that are blacklisted. Default: none.'),
    })
    .prefault({})
    .describe('Read by the sandbox alone.'),
});

function plainBase(text: string): boolean {
  const { search, hash, username, password } = new URL(text);
  return search === '' && hash === '' && username === '' && password === '';
}

function isEachOnce(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}
