import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, csv, type LeadRow, openBench } from '../runs/harness.js';
import { cardline, type Ended, startCardline } from '../kit/cardline.js';

/** A folder into which files arrive, a pickup file for it, and a contact center. */
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
}

export async function openArrivals(): Promise<Arrivals> {
  const bench = await openBench();
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
    startWatch: (options = []) => {
      const running = startCardline(args(options), invocation);
      running.child.stdin.end();
      return running;
    },
    pickup,
  };
}
