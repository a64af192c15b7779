import Database from 'better-sqlite3';
import type * as Load from '../../src/installation/installation.js';
import type * as Sandboxes from '../../src/sandbox/sandbox.js';
import { printed, startCardline } from './cardline.js';

/** A sandbox with one campaign, whose id is 1. */
export interface Sandbox {
  readonly port: number;
  readonly url: string;
  /** Cards by the JSON text of their identifiers' values, in the order of the card configuration. */
  books(identifierNames: readonly string[]): Map<string, SandboxCard>;
  close(): Promise<void>;
}

/** One in a process of its own. */
export interface SandboxProcess extends Sandbox {
  /** Kills it and starts it again; the port stays the same. */
  killAndRestart(): Promise<void>;
}

export interface SandboxCard {
  readonly id: number;
  /** Campaign of each call application. */
  readonly campaigns: readonly number[];
}

const READY = /^Sandbox listening on http:\/\/127\.0\.0\.1:(\d+)\n/;

/** As built: loaded once for all files. */
const BUILT = {
  load: new URL('../../dist/installation/installation.js', import.meta.url).href,
  sandbox: new URL('../../dist/sandbox/sandbox.js', import.meta.url).href,
};

/** Starts a sandbox within this process, which takes a tenth of what a process of its own does. */
export async function startSandbox(installation: string, database: string): Promise<Sandbox> {
  const { loadInstallation } = (await import(BUILT.load)) as typeof Load;
  const { startSandbox: start } = (await import(BUILT.sandbox)) as typeof Sandboxes;
  const sandbox = await start({
    installation: await loadInstallation(installation),
    // Also asked through proxies, which have ports of their own.
    ...{ database, port: 0, allowHosts: ['127.0.0.1'] },
  });
  const { url } = sandbox;
  await createCampaign(url);
  return {
    port: Number(new URL(url).port),
    url,
    books: (names) => readBooks(database, names),
    close: () => sandbox.close(),
  };
}

/** Starts a sandbox that can be killed. */
export async function startSandboxProcess(
  installation: string,
  database: string,
): Promise<SandboxProcess> {
  const start = async (port: number) => {
    // Also asked through proxies, which have ports of their own.
    const options = ['--port', String(port), '--db', database, '--allow-host', '127.0.0.1'];
    const running = startCardline(['sandbox', '-i', installation, ...options]);
    const [, listening] = await printed(running, READY);
    running.ended.catch(() => undefined);
    return { running, port: Number(listening) };
  };
  const first = await start(0);
  let { running } = first;
  const { port } = first;
  const url = `http://127.0.0.1:${port}`;
  await createCampaign(url);
  return {
    port,
    url,
    killAndRestart: async () => {
      running.child.kill('SIGKILL');
      await running.ended;
      ({ running } = await start(port));
    },
    books: (names) => readBooks(database, names),
    close: async () => {
      running.child.kill('SIGTERM');
      await running.ended;
    },
  };
}

async function createCampaign(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/telemarketing/campaigns/progress.do`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Autumn leads',
      typeProcessing: 'OPERATOR',
      callingMode: 'PROGRESSIVE_NEW',
      callingSearchSpaceId: 1,
      callStatusRuleProcessorId: 1,
    }),
  });
  if (response.status !== 200) throw new Error(`The campaign was not made: ${response.status}.`);
}

/** Reads the sandbox's own file: neither the product's client nor its server stands between. */
function readBooks(file: string, names: readonly string[]): Map<string, SandboxCard> {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database
      .prepare<[], { id: number; fields: string; campaigns: string }>(
        `SELECT clients.id, fields, json_group_array(campaign_id)
           FILTER (WHERE campaign_id IS NOT NULL) AS campaigns
         FROM clients LEFT JOIN applications ON client_id = clients.id GROUP BY clients.id`,
      )
      .all();
    return new Map(
      rows.map(({ id, fields, campaigns }) => {
        const values = JSON.parse(fields) as Record<string, unknown>;
        const identity = JSON.stringify(names.map((name) => String(values[name])));
        return [identity, { id, campaigns: JSON.parse(campaigns) as number[] }];
      }),
    );
  } finally {
    database.close();
  }
}
