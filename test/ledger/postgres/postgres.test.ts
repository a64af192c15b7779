import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { EXIT, LedgerError, LedgerInUseError, NoLedgerError } from '../../../src/core/errors.js';
import type { Fact } from '../../../src/core/facts.js';
import { initLedger, inspectLedger, openLedger } from '../../../src/ledger/ledger.js';
import { postgresAddress, type LeaseTimes } from '../../../src/ledger/port.js';
import type { Connections } from '../../../src/ledger/database.js';
import { prepareTables, SCHEMA_VERSION } from '../../../src/ledger/postgres.js';
import { HAS_OPENSSL, makeAuthority, makeCertificate } from '../../kit/certificates.js';
import { folderOfTest } from '../../kit/folder.js';
import { freePort, PASSWORD } from '../../kit/postgres.js';
import { withOwnPostgres } from '../../kit/with-postgres.js';
import { begin, CREATING, READ } from '../runs.js';

const FACTS: readonly Fact[] = [READ, CREATING];
const TIMES: LeaseTimes = { leaseMs: 600, renewMs: 100 };
/** As a process has it that is paused: it renews nothing. */
const PAUSED: LeaseTimes = { leaseMs: 600, renewMs: 3_600_000 };

async function refusalOf(address: string): Promise<LedgerError> {
  const found: unknown = await openLedger(address, { lease: TIMES }).then(
    (ledger) => ledger.close().then(() => 'it was opened'),
    (error: unknown) => error,
  );
  if (!(found instanceof LedgerError)) throw new Error(`Not refused: ${String(found)}`);
  const shown = [found.message, JSON.stringify(found)].join('\n');
  expect(shown).not.toContain(PASSWORD);
  return found;
}

describe('an address', () => {
  it('is verified over TLS, unless the server is on this machine', () => {
    expect(postgresAddress('postgres://me@db.example/ledger?sslmode=require&x=1')).toEqual({
      name: 'postgres://me@db.example/ledger?sslmode=require',
      ...{ host: 'db.example', port: 5432, user: 'me', database: 'ledger' },
      ssl: { rejectUnauthorized: true },
    });
    expect(postgresAddress('postgresql://db.example/x').ssl).toEqual({ rejectUnauthorized: true });
    expect(postgresAddress('postgres://db.example/x?sslmode=disable').ssl).toBe(false);
    expect(postgresAddress('postgres://localhost:5433/x')).toMatchObject({
      port: 5433,
      ssl: false,
    });
    expect(postgresAddress('postgres:///x?host=/run/postgresql')).toMatchObject({
      ...{ host: '/run/postgresql', database: 'x', ssl: false },
    });
  });

  it.each([
    ['with a mistake', `postgres://me:${PASSWORD}%@h/x`, /cannot be read/],
    ['of another kind', `mysql://me:${PASSWORD}@h/x`, /cannot be read/],
    ['with too few strokes', `postgres:/me:${PASSWORD}@h/x`, /cannot be read/],
    ['with a password', `postgres://me:${PASSWORD}@h/x`, /PGPASSWORD/],
    ['with a password behind it', `postgres://me@h/x?password=${PASSWORD}`, /PGPASSWORD/],
    ['of a way that does not verify', 'postgres://me@h/x?sslmode=prefer', /sslmode is one of/],
    [
      'of a certificate that is not there',
      'postgres://h/x?sslrootcert=/no/where.pem',
      /where\.pem/,
    ],
  ])('%s is refused, and no password is shown', async (_what, address, words) => {
    const refusal = await refusalOf(address);
    expect(refusal).toBeInstanceOf(NoLedgerError);
    expect(refusal.message).toMatch(words);
    expect(refusal.exitCode).toBe(EXIT.usage);
  });

  it('of a server before version 13, or of one that forgets what it confirms, is refused', async () => {
    const answering = (row: object): Connections => ({
      name: 'postgres://h/x',
      rows: <Row>() => Promise.resolve([row] as Row[]),
      run: () => Promise.reject(new Error('Nothing may be written.')),
      transaction: () => Promise.reject(new Error('Nothing may be begun.')),
      close: () => Promise.resolve(),
    });
    const good = { version: 150_004, keeps: 'on', fsync: 'on' };
    const refused = (row: object) => expect(prepareTables(answering({ ...good, ...row }))).rejects;
    await refused({ version: 120_022 }).toThrow(/PostgreSQL 12; it has to be 13/);
    await refused({ keeps: 'off' }).toThrow(/synchronous_commit is off/);
    await refused({ fsync: 'off' }).toThrow(/fsync is off/);
  });
});

withOwnPostgres('a server', (server) => {
  let address: string;
  beforeEach(async () => {
    address = await server.database();
  });
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(address);
    change(url);
    return url.href;
  };

  it('names of its errors what to do, and nothing secret', async () => {
    vi.stubEnv('PGPASSWORD', 'another');
    const wrongPassword = await refusalOf(address);
    vi.unstubAllEnvs();
    expect(wrongPassword).toBeInstanceOf(NoLedgerError);
    expect(wrongPassword.message).toMatch(/PGPASSWORD or in ~\/\.pgpass/);
    expect((await refusalOf(changed((url) => (url.pathname = '/none')))).message).toMatch(
      /no such database/,
    );
    const noTls = await refusalOf(changed((url) => url.searchParams.set('sslmode', 'verify-full')));
    expect(noTls.message).toMatch(/does not offer TLS; .* sslmode=disable/);
    expect(noTls.exitCode).toBe(EXIT.usage);
  });

  it('that is not there can be tried again', async () => {
    const port = await freePort();
    const refusal = await refusalOf(changed((url) => (url.port = String(port))));
    expect(refusal.exitCode).toBe(EXIT.stopped);
    expect(refusal.message).toMatch(/no server answers there/);
  });

  it('whose role may not make tables is named the command that says how', async () => {
    const database = new URL(address).pathname.slice(1);
    await server.execute(database, `CREATE ROLE plain_${database} LOGIN PASSWORD '${PASSWORD}'`);
    const plain = changed((url) => (url.username = `plain_${database}`));
    const refusal = await refusalOf(plain);
    expect(refusal.exitCode).toBe(EXIT.usage);
    expect(refusal.message).toMatch(/cardline ledger init/);
    expect(await inspectLedger(plain)).toMatchObject({ version: undefined, notWritable: [plain] });
    const asked = await initLedger(plain, { justPrints: false });
    if (asked.kind !== 'sql') throw new Error('The role may do without.');
    expect(asked.sql).not.toContain(PASSWORD);
    await server.execute(database, asked.sql);
    expect(await initLedger(plain, { justPrints: false })).toMatchObject({ kind: 'ready' });
    expect(await inspectLedger(plain)).toMatchObject({ version: SCHEMA_VERSION, notWritable: [] });
    const ledger = await openLedger(plain, { lease: TIMES });
    const run = await begin(ledger);
    await run.ledger.record(0, FACTS);
    await run.close();
    expect(await ledger.runs()).toHaveLength(1);
    await ledger.close();
    // Rights that were taken away again are asked for alone.
    await server.execute(database, `REVOKE INSERT ON cardline.fact FROM plain_${database}`);
    const again = await initLedger(plain, { justPrints: false });
    expect(again).toMatchObject({
      kind: 'sql',
      sql: expect.not.stringMatching(/CREATE/) as string,
    });
  });

  it.skipIf(!HAS_OPENSSL)(
    'that is asked to speak TLS has to show a certificate that verifies',
    async () => {
      const folder = folderOfTest();
      const file = (name: string): string => join(folder, name);
      makeAuthority(folder, 'ca');
      makeAuthority(folder, 'other');
      makeCertificate(folder, 'server', 'ca', 'subjectAltName=IP:127.0.0.1');
      await server.secure(file('server.crt'), file('server.key'));
      const verified = (authority?: string): string =>
        changed((url) => {
          url.searchParams.set('sslmode', 'verify-full');
          if (authority) url.searchParams.set('sslrootcert', file(authority));
        });
      for (const wrong of [verified(), verified('other.crt')]) {
        const refusal = await refusalOf(wrong);
        expect(refusal.message).toMatch(/certificate does not verify/);
        expect(refusal.exitCode).toBe(EXIT.usage);
      }
      const ledger = await openLedger(verified('ca.crt'), { lease: TIMES });
      expect(await ledger.runs()).toEqual([]);
      await ledger.close();
      const elsewhere = new URL(verified('ca.crt'));
      elsewhere.hostname = 'localhost';
      expect((await refusalOf(elsewhere.href)).message).toMatch(/certificate does not verify/);
    },
  );

  it('whose schema belongs to something else is left as it was', async () => {
    const database = new URL(address).pathname.slice(1);
    await server.execute(database, 'CREATE SCHEMA cardline; CREATE TABLE cardline.run (a int)');
    const refusal = await refusalOf(address);
    expect(refusal).toBeInstanceOf(NoLedgerError);
    expect(refusal.message).toMatch(/belongs to something else/);
    const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'cardline'`;
    expect(await server.execute(database, tables)).toEqual([{ tablename: 'run' }]);
  });

  it('refuses facts of a process that was paused while another one took its run', async () => {
    const paused = await openLedger(address, { lease: PAUSED });
    const next = await openLedger(address, { lease: TIMES });
    const late = await begin(paused);
    await late.ledger.record(0, FACTS);
    // The lease has to lapse first: nobody has given it back.
    const taken = await begin(next);
    expect(taken.ledger).toMatchObject({ run: late.ledger.run, continued: true });
    await expect(late.ledger.record(0, FACTS)).rejects.toThrow(LedgerInUseError);
    // Nor is anything recorded after what was refused.
    await expect(late.ledger.record(1, FACTS)).rejects.toThrow(/has taken run/);
    expect(await taken.ledger.factsOf(0)).toEqual(FACTS);
    expect(await taken.ledger.factsOf(1)).toEqual([]);
    // What it gives back is not the lease of its successor.
    await late.close();
    expect(await next.runs()).toMatchObject([{ state: 'running' }]);
    await taken.close();
    await paused.close();
    await next.close();
  });

  it('that is stopped at once has every fact that it confirmed, and the run goes on with it', async () => {
    const ledger = await openLedger(address, { lease: TIMES });
    const run = await begin(ledger);
    let confirmed = 0;
    const recording = (async () => {
      for (;;) {
        await run.ledger.record(confirmed, FACTS);
        confirmed++;
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.stop('immediate');
    const failure = await recording.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LedgerError);
    expect(failure).toMatchObject({ exitCode: EXIT.stopped });
    server.start();
    await run.close();
    await ledger.close();
    const again = await openLedger(address, { lease: TIMES });
    const next = await begin(again);
    const chunks = [...(await again.factsOf(next.ledger.run))];
    expect(confirmed).toBeGreaterThan(0);
    expect(chunks.length).toBeGreaterThanOrEqual(confirmed);
    for (const [, facts] of chunks) expect(facts).toEqual(FACTS);
    await next.close();
    await again.close();
  }, 60_000);
});
