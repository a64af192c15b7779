import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContactCenter } from '../../../src/client/contact-center.js';
import type { OperationInput } from '../../../src/contract/operations.js';
import { loadInstallation } from '../../../src/installation/installation.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { cardline, executable, root } from '../../kit/cardline.js';

/** A folder with everything that the examples speak of, and a contact center. */
export interface Workplace {
  readonly folder: string;
  /** Environment in which `cardline` is on the path. */
  readonly env: Readonly<Record<string, string>>;
  /** Imports a file of its own. Resolves with the id of the run. */
  anotherRun(): Promise<string>;
  close(): Promise<void>;
}

/** The campaign of the examples, and the client that they change. */
const CAMPAIGN = 42;
const CLIENT: OperationInput<'addClients'>['body']['clients'][number] = {
  uuid: 'client of the examples',
  clientRoleId: 1,
  type: 'SIMPLE',
  timeZone: 'Europe/Moscow',
  fields: { offerId: 7, offerDomain: 'shop', fullName: 'Ann Lee' },
  phones: [{ phoneNumber: '79160000000', type: 'MOB' }],
  addresses: [],
  emails: [],
};
const CAMPAIGN_FIELDS = {
  typeProcessing: 'OPERATOR',
  callingMode: 'PROGRESSIVE_NEW',
  callingSearchSpaceId: 1,
  callStatusRuleProcessorId: 1,
} as const;

export async function openWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-docs-'));
  const at = (name: string): string => join(folder, name);
  for (const name of ['samples', 'mappings'])
    await cp(join(root, name), at(name), { recursive: true });
  await symlink(join(root, 'dist'), at('dist'));
  await mkdir(at('bin'));
  await writeFile(
    at('bin/cardline'),
    `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`,
  );
  await chmod(at('bin/cardline'), 0o755);

  const described = await readFile(at('mappings/installation.yaml'), 'utf8');
  const sandbox = await startSandbox({
    installation: await loadInstallation(at('mappings/installation.yaml')),
    port: 0,
    database: ':memory:',
  });
  const reachable = described.replace(/^baseUrl: .*$/m, `baseUrl: ${sandbox.url}`);
  for (const name of ['installation.yaml', 'center.yaml']) await writeFile(at(name), reachable);
  await fill(at('center.yaml'));

  const sample = (await readFile(at('samples/leads.csv'), 'utf8')).split('\n');
  const rows = (from: number, to: number): string =>
    `${[sample[0], ...sample.slice(from, to)].join('\n')}\n`;
  for (const name of ['leads.csv', 'paid.csv', 'erase.csv']) await writeFile(at(name), rows(1, 30));
  await cp(at('mappings/leads.yaml'), at('leads.yaml'));
  await writeFile(at('campaign.yaml'), JSON.stringify({ name: 'New', ...CAMPAIGN_FIELDS }));

  let runs = 0;
  return {
    folder,
    env: { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` },
    anotherRun: async () => {
      runs += 1;
      const file = at(`earlier-${runs}.csv`);
      await writeFile(file, rows(30 * runs, 30 * runs + 30));
      const args = ['import', file, '-m', 'leads.yaml', '-i', 'installation.yaml', '--json'];
      const { stdout, stderr } = await cardline(args, { cwd: folder });
      if (stdout === '') throw new Error(stderr);
      return (JSON.parse(stdout) as { run: string }).run;
    },
    close: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function fill(file: string): Promise<void> {
  const center = createContactCenter(await loadInstallation(file));
  for (let id = 1; id <= CAMPAIGN; id++) {
    const name = id === CAMPAIGN ? 'Autumn leads' : `Campaign ${id}`;
    await center.createCampaign({ body: { name, ...CAMPAIGN_FIELDS } });
  }
  await center.startCampaign({ params: { campaignId: CAMPAIGN } });
  await center.addClients({ body: { clients: [CLIENT] } });
  await center.close();
}
