import {
  CardlineError,
  LedgerError,
  LedgerInUseError,
  NoLedgerError,
  codeOf,
} from '../../../core/errors.js';

type Reason = readonly [pattern: RegExp, why: string, kind: typeof LedgerError];

const GO_ON = 'run the same command again';

/** By SQLSTATE, or by the code of the connection. The server's own words may repeat values, and are not shown. */
const REASONS: readonly Reason[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'there is no host of this name; check the address', NoLedgerError],
  [
    /ECONNREFUSED|ENOENT/,
    `no server answers there; check host and port, or start it, and ${GO_ON}`,
    LedgerError,
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    `the server does not answer in time; check host, port and firewall, and ${GO_ON}`,
    LedgerError,
  ],
  [
    /28P01|28000/,
    'the server refuses this user or password; give the password with PGPASSWORD or in ~/.pgpass',
    NoLedgerError,
  ],
  [/3D000/, 'the server has no such database; check its name, or create it', NoLedgerError],
  [
    /42501/,
    'the role may not create or use the tables; "cardline ledger init" with this address prints what an administrator has to execute in this database',
    NoLedgerError,
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/,
    "the server's certificate does not verify; give the authority's certificate with sslrootcert, or the name that the certificate has",
    NoLedgerError,
  ],
  [
    /25006/,
    'the server is a read-only copy; give the address of the one that is written to',
    NoLedgerError,
  ],
  [/23505/, `another process has put the same on record; ${GO_ON}`, LedgerInUseError],
  [/53100/, `the disk of the server is full; free some space and ${GO_ON}`, LedgerError],
  [/53300/, `the server has no connection left; wait, and ${GO_ON}`, LedgerError],
  [/55P03|40P01|40001/, `another process is using it; ${GO_ON}`, LedgerInUseError],
  [
    /^08P01/,
    `a connection pooler before the server, or the server, does not take what is asked for; a pooler needs pool_mode = transaction or session; ${GO_ON}`,
    LedgerError,
  ],
  [
    /^08|^57P|ECONNRESET|EPIPE|LOST/,
    `the connection to the server was lost; what was recorded before holds; ${GO_ON}`,
    LedgerError,
  ],
];

const OTHERWISE: Reason = [/^/, 'it cannot be used', LedgerError];

/** An error of the driver or the server in words that say what to do, without anything that could be a secret. */
export function asPostgresError(error: unknown, name: string): CardlineError {
  if (error instanceof CardlineError) return error;
  const code = codeOf(error) || codeOfMessage(error);
  const [, why, Kind] = REASONS.find(([pattern]) => pattern.test(code)) ?? OTHERWISE;
  const message = `The ledger ${name}: ${why}${code && ` (${code})`}.`;
  return new Kind(message, { cause: error, saysHowToContinue: why.includes(GO_ON) });
}

/** What the driver says in words alone. */
function codeOfMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (/does not support SSL/.test(text)) return 'ERR_TLS_NOT_OFFERED';
  if (/timeout/i.test(text)) return 'ETIMEDOUT';
  if (/terminated|Connection ended/i.test(text)) return 'LOST';
  return /password/i.test(text) ? '28P01' : '';
}
