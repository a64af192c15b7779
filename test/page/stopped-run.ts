import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLedger } from '../../src/ledger/ledger.js';
import { root, startCardline } from '../kit/cardline.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  type: { value: SIMPLE }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Offer, offerDomain: { value: shop.example.com }, fullName: Name }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }]
`;

/** Imports many rows into the sandbox of a folder by the built command line, and stops in the middle. */
export async function stopRun(folder: string, rows: number): Promise<void> {
  const lines = Array.from(
    { length: rows },
    (_, at) => `${70_000 + at},Fedora Nr${at},8916${1_000_000 + at}`,
  );
  await writeFile(join(folder, 'many.csv'), ['Offer,Name,Phone', ...lines, ''].join('\n'));
  await writeFile(join(folder, 'many.yaml'), MAPPING);
  const installation = join(root, 'mappings/installation.yaml');
  const args = ['import', 'many.csv', '-m', 'many.yaml', '-i', installation, '--sandbox'];
  const { child, ended } = startCardline(args, { cwd: folder });
  const hasEnded = ended.then(() => true);
  const ledger = join(folder, 'cardline.db');
  while (!(await hasFacts(ledger))) if (await Promise.race([hasEnded, sleep(20, false)])) break;
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  if (code !== 3) throw new Error(`The import ended with ${String(code)}: ${stderr}`);
}

async function hasFacts(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const ledger = await openLedger(file, { thread: false });
  try {
    const [run] = await ledger.runs();
    return run !== undefined && (await ledger.lastFact(run.run)) > 0;
  } finally {
    await ledger.close();
  }
}
