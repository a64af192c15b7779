import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Notice, noticeSchema } from '../../src/nightly/notices/notice.js';
import { type Bench, csv, type LeadRow, openBench } from '../kit/bench.js';
import { cardline, type Ended, startCardline } from '../kit/cardline.js';
import { openReceiver, type Receiver } from '../kit/receiver.js';

/** A folder into which files arrive, a pickup file for it, a contact center, and somebody who is told. */
export interface Arrivals extends Bench {
  /** Path in the folder of arrivals. */
  in(name: string): string;
  /** A file of leads that arrives. */
  arrive(name: string, rows: readonly LeadRow[] | string): Promise<void>;
  /** Names in a folder below that of the arrivals; hidden ones left out. */
  names(folder?: string): Promise<string[]>;
  /** Runs the command to its end. */
  watch(options?: readonly string[]): Promise<Ended>;
  /** Starts the command. */
  startWatch(options?: readonly string[]): ReturnType<typeof startCardline>;
  /** Writes the pickup file. `more`: keys of the pickup; `rest`: those beside the pickups. */
  pickup(more?: string, rest?: string): Promise<void>;
  /** Changes the text of the pickup file. */
  edit(from: string, to: string): Promise<void>;
  /** Runs another command in the folder. */
  run(...args: string[]): Promise<Ended>;
  readonly hooks: Receiver;
  /** What the receiver was told. */
  notices(): Notice[];
}

export async function openArrivals(): Promise<Arrivals> {
  const [bench, hooks] = await Promise.all([openBench(), openReceiver()]);
  const folder = bench.at('in');
  await mkdir(folder);
  const at = (name: string): string => join(folder, name);
  const invocation = { cwd: bench.at('.'), env: bench.environment };
  const args = (options: readonly string[]): string[] => ['watch', 'pickup.yaml', ...options];
  const pickup: Arrivals['pickup'] = async (more = 'ready: { stableFor: 0s }', rest = '') => {
    const text = `ledger: cardline.db
pickups:
  - name: vendor
    from: in
    files: 'leads-*.csv'
    import: { mapping: mapping.yaml, installation: center.yaml, campaign: Autumn leads }
    ${more}
${rest}`;
    await bench.write('pickup.yaml', text);
  };
  await pickup();
  return {
    ...bench,
    in: at,
    arrive: (name, rows) => writeFile(at(name), typeof rows === 'string' ? rows : csv(rows)),
    names: async (below = '.') => {
      const found = await readdir(at(below)).catch(() => []);
      return found.filter((name) => !name.startsWith('.')).sort();
    },
    watch: (options = ['--once']) => cardline(args(options), invocation),
    run: (...all) => cardline(all, invocation),
    startWatch: (options = []) => {
      const running = startCardline(args(options), invocation);
      running.child.stdin.end();
      return running;
    },
    pickup,
    edit: async (from, to) => {
      const text = await readFile(bench.at('pickup.yaml'), 'utf8');
      await bench.write('pickup.yaml', text.replace(from, to));
    },
    hooks,
    notices: () => hooks.received.map(({ body }) => noticeSchema.parse(JSON.parse(body))),
    close: async () => {
      await hooks.close();
      await bench.close();
    },
  };
}
