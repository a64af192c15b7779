import type { Mode } from '../../../src/core/outcome.js';
import {
  BLACKLISTED,
  DOMAIN,
  SITTING,
  addressOf,
  baseOf,
  emailOf,
  otherPhoneOf,
  phoneOf,
} from './clients.js';

/** A spreadsheet for a mode, with a mapping for it: good rows and bad ones of every kind. */
export interface Sheet {
  readonly mapping: string;
  readonly columns: readonly string[];
  /** Cells of row `r`, from 1. `idOf`: internal ids of clients that were there before. */
  readonly row: (r: number, idOf: (offerId: number) => number) => readonly string[];
  readonly options: readonly string[];
}

/** Rows that no client comes of, whatever the mode. The period is 50. */
const RAGGED = 3;
const BLANK = 17;
const DOUBLE = 23;
const GARBLED = 29;
const LEFT_OUT = 41;

/** Whether a row never becomes a client. */
export const isSpoiled = (r: number): boolean =>
  [RAGGED, BLANK, GARBLED, LEFT_OUT].includes(r % 50);

/** Which of the clients a row is about: a later row in 50 is about the client of an earlier one. */
export const meant = (r: number): number => (r % 50 === DOUBLE ? r - 3 : r);
/** Clients that do not exist. */
const stranger = (base: number, r: number): number => base + 500_000 + r;
/** Whether the row is about a client that was never there. */
export const isStranger = (r: number): boolean => r % 10 === 5;
/** Whether a row of modes create and upsert is about a client that was there before. */
export const isOld = {
  create: (i: number) => i % 5 === 2,
  upsert: (i: number) => i % 5 > 0 && i % 5 < 4,
};

const FIRST = ['Offer', 'Site', 'Status'] as const;

/** The cells that every mode has, and those of the mode, with what is wrong with some rows. */
function sheet(
  more: readonly string[],
  offerOf: (i: number, r: number) => number,
  rest: (i: number, r: number, idOf: (offerId: number) => number) => readonly string[],
): Pick<Sheet, 'columns' | 'row'> {
  return {
    columns: [...FIRST, ...more],
    row: (r, idOf) => {
      const i = meant(r);
      const offer = String(offerOf(i, r));
      const kind = r % 50;
      const first = kind === BLANK ? '' : kind === GARBLED ? `no ${offer}` : offer;
      const cells = [first, DOMAIN, kind === LEFT_OUT ? 'closed' : 'open', ...rest(i, r, idOf)];
      return kind === RAGGED ? [...cells, 'one cell too many'] : cells;
    },
  };
}

const COMMON = `where: { column: Status, equals: open }`;
const IDENTIFIERS = `offerId: Offer, offerDomain: Site`;
const CAMPAIGN = ['--campaign', '1'];

const oldOrStranger =
  (base: number) =>
  (i: number): number =>
    isStranger(i) ? stranger(base, i) : base + i;

function creating(mode: 'create' | 'upsert'): Sheet {
  const base = baseOf(mode);
  const isThere = isOld[mode];
  return {
    mapping: `mode: ${mode}
${COMMON}
client:
  clientRoleId: { value: 1 }
  timeZone: { value: Asia/Omsk }
  fields: { ${IDENTIFIERS}, fullName: Name, segment: Segment, comment: Comment, budget: Budget }
  phones: [{ column: Phone, type: MOB }]
  emails: [Mail]
`,
    ...sheet(
      ['Name', 'Segment', 'Comment', 'Budget', 'Phone', 'Mail'],
      (i) => (isThere(i) ? base + i : stranger(base, i)),
      (i, r) => [
        `New ${r}`,
        // The contact center knows no such segment.
        r % 10 === 6 ? 'hot' : 'warm',
        r % 4 ? `now ${r}` : '',
        String(r % 3 ? r : ''),
        isThere(i) && r % 3 ? phoneOf(base, i) : r % 10 === 9 ? BLACKLISTED : `7901${base + r}`,
        r % 5 ? `new${base + r}@mail.example.com` : '',
      ],
    ),
    options: CAMPAIGN,
  };
}

function updating(): Sheet {
  const base = baseOf('update');
  return {
    mapping: `mode: update
${COMMON}
duplicates: { by: none }
client:
  fields: { ${IDENTIFIERS}, segment: Segment, comment: Comment, budget: Budget }
  phones: [{ column: Phones, type: MOB, split: ';' }]
  emails: [Mail]
  addresses: [{ column: Address, type: WORK }]
`,
    ...sheet(
      ['Segment', 'Comment', 'Budget', 'Phones', 'Mail', 'Address'],
      oldOrStranger(base),
      (i, r) =>
        r % 50 === 11
          ? ['', '', '', '', '', '']
          : [
              r % 10 === 6 ? 'hot' : r % 3 ? 'warm' : '',
              r % 4 ? `now ${r}` : '',
              r % 2 ? String(1000 + r) : '',
              r % 3 ? '' : `${phoneOf(base, i)};7902${base + r}`,
              r % 7 ? '' : emailOf(base, i),
              r % 8 ? '' : `New street ${r}`,
            ],
    ),
    options: [],
  };
}

const naming = (mode: Mode, more: string, options: readonly string[]): Sheet => ({
  mapping: `mode: ${mode}\n${COMMON}\nclient: { fields: { ${IDENTIFIERS} } }\n${more}`,
  ...sheet([], oldOrStranger(baseOf(mode)), () => []),
  options,
});

function dequeuing(): Sheet {
  const base = baseOf('dequeue');
  return {
    mapping: `mode: dequeue
${COMMON}
duplicates: { by: none }
client: { fields: { ${IDENTIFIERS} } }
cancelCallbacks: { column: Cancel }
`,
    ...sheet(['Cancel'], oldOrStranger(base), (_, r) => [r % 3 ? 'yes' : 'no']),
    options: CAMPAIGN,
  };
}

function statuses(): Sheet {
  const base = baseOf('contacts');
  return {
    mapping: `mode: contacts
${COMMON}
client:
  fields: { ${IDENTIFIERS} }
  phones: [{ column: Phone, active: Active }, { column: Other, active: { value: false } }]
  emails: [{ column: Mail, active: Active }]
  addresses: [{ column: Address, active: Active }]
`,
    ...sheet(['Phone', 'Other', 'Mail', 'Address', 'Active'], oldOrStranger(base), (i, r) => [
      // Of a double row the last word counts.
      r % 6 === 1 ? `7903${base + r}` : phoneOf(base, i),
      r % 4 ? '' : otherPhoneOf(base, i),
      r % 5 ? '' : emailOf(base, i),
      r % 7 ? '' : addressOf(base, i),
      r % 2 ? 'no' : 'yes',
    ]),
    options: [],
  };
}

function callbacks(): Sheet {
  const base = baseOf('callbacks');
  return {
    mapping: `mode: callbacks
${COMMON}
client: { fields: { ${IDENTIFIERS} } }
callback:
  name: { template: 'Callback {No}' }
  description: { value: As agreed }
  phone: Phone
  operatorId: Operator
  callAt: { column: At, timeZone: Europe/Moscow }
  callAutomatically: { column: Auto }
`,
    ...sheet(['No', 'Phone', 'Operator', 'At', 'Auto'], oldOrStranger(base), (i, r) => [
      String(r),
      phoneOf(base, i),
      String(r % 9),
      r % 9 === 1 ? '2020-05-01 10:00' : '2095-05-01 10:00',
      r % 3 ? 'yes' : 'no',
    ]),
    options: CAMPAIGN,
  };
}

/** Clients that no row is about: their identifiers are taken. */
const sitting = (base: number, rows: number, r: number): number => base + rows + 1 + (r % SITTING);

function rekeying(rows: number): Sheet {
  const base = baseOf('rekey');
  return {
    mapping: `mode: rekey
${COMMON}
duplicates: { by: none }
clientId: Id
client: { fields: { ${IDENTIFIERS} } }
`,
    ...sheet(
      ['Id'],
      (i, r) => {
        if (r % 10 === 4) return sitting(base, rows, r);
        return r % 10 === 6 ? base + i : base + 700_000 + r;
      },
      (i, r, idOf) => [
        r % 50 === 11 ? '0' : isStranger(r) ? String(900_000_000 + r) : String(idOf(base + i)),
      ],
    ),
    options: [],
  };
}

/** `rows`: how many the spreadsheet has. */
export function sheetOf(mode: Mode, rows: number): Sheet {
  switch (mode) {
    case 'create':
    case 'upsert':
      return creating(mode);
    case 'update':
      return updating();
    case 'enqueue':
      return naming(mode, '', CAMPAIGN);
    case 'dequeue':
      return dequeuing();
    case 'contacts':
      return statuses();
    case 'callbacks':
      return callbacks();
    case 'rekey':
      return rekeying(rows);
    case 'delete':
      return naming(mode, '', ['--yes']);
  }
}

/** The spreadsheet as CSV. */
export function csvOf(sheet: Sheet, rows: number, idOf: (offerId: number) => number): string {
  const lines = Array.from({ length: rows }, (_, index) => sheet.row(index + 1, idOf));
  return [sheet.columns, ...lines].map((cells) => `${cells.join(',')}\n`).join('');
}
