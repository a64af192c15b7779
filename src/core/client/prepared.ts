import type { Client } from './card.js';
import type { SyncIdentifiers } from './identifiers.js';
import type { Identities } from './identities.js';
import type { ColumnEvidence } from '../table/evidence.js';
import type { EmptyPayload, Payload } from '../payload.js';
import type { CallCounts } from '../time/call-time.js';
import type { HitCount } from '../list-quality/hits.js';
import type { QualityCounts } from '../list-quality/tally.js';
import type { Problem, ProblemCount } from '../problem.js';
import type { SuppressedCount } from '../suppressed.js';
import type { Cell } from '../table/row.js';

/** One row after it was read and mapped. */
export type RowStatus = 'client' | 'rejected' | 'skipped';
export const ROW_STATUSES = [
  'client',
  'rejected',
  'skipped',
] as const satisfies readonly RowStatus[];

/**
 * One row as the ledger keeps it: `[row number, uuid, identifier values in the installation's order, index into
 * ROW_STATUSES, problems, remarks, index into ZONE_SOURCES, keys of its phones]`. A tuple, since a run has millions of
 * them. Phones are there where later runs are to know of them (`lasting-key.ts`).
 */
export type RowRecord = readonly [
  row: number,
  uuid: string | null,
  identifiers: readonly (string | number | null)[],
  status: 0 | 1 | 2,
  problems?: readonly Problem[],
  remarks?: readonly Problem[] | null,
  zoneFrom?: number | null,
  phones?: string,
];

/** The clients of a chunk, column by column. In a check, what only sending needs is empty. */
export interface PreparedClients {
  /** Position of the client's row in its chunk. */
  readonly at: Uint32Array;
  /** The row's number as the person sees it. */
  readonly rows: Uint32Array;
  /** Who the clients are. In an import these stand in the chunk's `read`. */
  readonly identities: Identities;
  /** Whether uuids are digests of the identifiers: clients that differ in these differ in their uuids. */
  readonly derivedUuids: boolean;
  /** JSON text in UTF-8 of the clients' payloads (`mode.ts`), one after the other with a comma between. */
  readonly payload: Uint8Array;
  /** Where client `i` ends in `payload`; the next one begins one byte later, after the comma. */
  readonly ends: Uint32Array;
  /** Digests by which duplicates are found, `KEY_WORDS` words each. */
  readonly keys: Uint32Array;
  /** How many keys the clients up to and including `i` have. */
  readonly keyEnds: Uint32Array;
  /** Fingerprints of the clients, `PRINT_WORDS` words each; absent where nobody compares them. */
  readonly prints?: Uint32Array;
  /** Numbers of the clients' phones, E.164 without the plus; absent where there are no lists to compare them with. */
  readonly callable?: ClientNumbers | undefined;
}

/** `numbers` from the end of the client before to `ends[i]` are those of client `i`. */
export interface ClientNumbers {
  readonly numbers: Float64Array;
  readonly ends: Uint32Array;
}

/** Words of 32 bits in a duplicate key: 96 bits make a false match less likely than a broken disk. */
export const KEY_WORDS = 3;

/** A rejected row as a check keeps it. */
export interface KeptRow {
  /** The row's number as the person sees it. */
  readonly row: number;
  readonly cells: readonly Cell[];
  readonly problems: readonly Problem[];
}

/** What would be sent for a row: a client, or which client is meant and what its payload says of it. */
export type ShownPayload = Client | Meant | (Meant & Exclude<Payload, Client | EmptyPayload>);

interface Meant {
  readonly identifiers: SyncIdentifiers;
}

/**
 * One of the first clients of a chunk, as a check shows it. `index` is its place among the chunk's clients, `json` its
 * `ShownPayload`: parts of the file's text would keep all of that in memory.
 */
export interface ShownClient {
  readonly index: number;
  readonly json: string;
}

/** What the rows of a chunk show of the list as a whole. */
export interface ListCounts {
  /** Rows that the mapping takes. */
  readonly taken: number;
  /** Rows that are as the mapping's checks look for, check by check. */
  readonly checked: readonly HitCount[];
  /** In a check: what they show of its quality, duplicates aside. */
  readonly quality?: QualityCounts;
  /** In a check, with hours: when each client may be called (index into CALL_TIMES), and those who are left out for now. */
  readonly calls?: { readonly clients: Uint8Array; readonly leftOut: CallCounts };
}

/** Size of a file in bytes and time of its last change, as text: another one where somebody wrote to the file. */
export type FileTimes = string;

/** Some consecutive data rows of one sheet, read, mapped and serialised. It can be passed between threads. */
export interface PreparedChunk {
  /** Its place among the chunks of the run, from 0, where they do not come in order. */
  readonly number?: number;
  /** Index of the input file in the run. */
  readonly input: number;
  readonly sheet: string | null;
  /** Ordinal of the first row: data rows are numbered from 0 over all inputs of the run. */
  readonly first: number;
  readonly count: number;
  /** JSON text in UTF-8 of a `ReadFact`, with a record for each row; empty in a check. */
  readonly read: Uint8Array;
  readonly clients: PreparedClients;
  readonly rejected: number;
  readonly skipped: number;
  /** Which problems the rows have, each once. */
  readonly problems: readonly ProblemCount[];
  /** What was left out of the clients. */
  readonly remarks: readonly ProblemCount[];
  /** What lists of numbers that must not be called did; absent where there are none. */
  readonly suppressed?: readonly SuppressedCount[];
  /** What numbers and dates look like in the rows of the chunk. */
  readonly evidence: readonly ColumnEvidence[];
  /** Share of the run's input bytes that has been read, 0 to 1. */
  readonly progress: number;
  /** Those of the input when the chunk had been read; `null` where it could not be looked at, absent where nobody did. */
  readonly inputTimes?: FileTimes | null;
  /** Rejected rows, in a check. */
  readonly kept: readonly KeptRow[];
  /** The first clients, in a check. */
  readonly shown: readonly ShownClient[];
  /** Phones of the clients, where they are yet to be counted over the list. */
  readonly phones?: ClientNumbers;
  /** Positions of the rows with a phone that many rows have; absent where there is none. */
  readonly shared?: readonly number[];
  /** What is counted of the list; absent where nobody asks. */
  readonly list?: ListCounts;
}
