import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { noSuchRun } from '../../src/history/history.js';
import { doubtful } from '../../src/ledger/postgres-store.js';
import { refuseShared } from '../../src/ledger/shared.js';
import { refuseUnfinishedUndos } from '../../src/ledger/other-runs.js';
import { refuseFreed, type RunRow, type RunView } from '../../src/ledger/store.js';
import { MAPPING, csv, leads, useBench } from '../kit/bench.js';
import { cardline, type Ended } from '../kit/cardline.js';

/** What a shell makes of a command: it has a name for a ledger that a person may well have. */
function wordsOf(command: string): string[] {
  const read = execFileSync('sh', ['-c', `cardline() { printf '%s\\n' "$@"; }; ${command}`]);
  return String(read).trimEnd().split('\n');
}

/** Commands within quotation marks or brackets, or on a line of their own. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:"|\(|^ *)(cardline [a-z].*?)(?:"|\)|$)/gm)].flatMap(
    ([, command]) => command ?? [],
  );

describe('a refusal names commands with the ledger that was looked at', () => {
  const LEDGER = "/srv/bob's lists/run.db";
  const run = { id: 'R1', state: 'stopped', settings: '{}' } as RunRow;
  const view = {
    ledger: LEDGER,
    runs: [run, { ...run, id: 'U1', settings: '{"mode":"undo","undoes":"R1"}' }],
    isTaken: () => false,
    wasFreedMeanwhile: () => true,
  } as unknown as RunView;
  const on = ['--ledger', LEDGER];
  const raise = (error: Error): never => {
    throw error;
  };
  const thrown = (refuse: () => unknown): string => {
    try {
      refuse();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('Nothing was refused.');
  };

  it.each<[string, () => unknown, string[][]]>([
    [
      ...(['of a run that others worked on', () => refuseFreed(view, run)] as const),
      [['report', 'R1', ...on]],
    ],
    [
      ...(['of an undo that goes on', () => refuseUnfinishedUndos(view, run)] as const),
      [['resume', 'U1', ...on]],
    ],
    ['of a run that is not there', () => raise(noSuchRun(LEDGER, 'R2', [])), [['runs', ...on]]],
    [
      ...(['of a restored database', () => raise(doubtful(LEDGER, run))] as const),
      [['resume', 'R1', '--settle-all', ...on]],
    ],
    [
      ...(['of a shared run', () => refuseShared(run, { left: 1 }, LEDGER)] as const),
      [
        ['resume', 'R1', ...on],
        ['fleet', '--release', 'R1', ...on],
      ],
    ],
  ])('%s', (_, refuse, commands) => {
    const found = commandsIn(thrown(refuse)).map(wordsOf);
    expect(found.filter((words) => words.length > 1)).toEqual(commands);
  });
});

describe('a command that was printed', () => {
  const bench = useBench();
  let stopped: Ended & { readonly run: string };
  const ledger = (): string => bench.at('night lists.db');
  const cli = (args: readonly string[], cwd: string) =>
    cardline(args, { cwd, env: bench.environment });
  const imported = (name: string, ...more: string[]) =>
    bench.import(
      name,
      [bench.at('leads.csv')],
      ['--campaign', '42', '--ledger', ledger(), ...more],
    );

  beforeEach(async () => {
    await bench.write('leads.csv', csv(leads(40)));
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number > 1 ? { answer: { status: 401, body: '' } } : undefined;
    const ended = await imported('first', '--batch-size', '10', '--concurrency', '1');
    bench.center.behave = () => undefined;
    stopped = { ...ended, run: ended.summary().run };
    expect([ended.code, ended.summary().state]).toEqual([3, 'stopped']);
  });

  it.each([
    ['after a run', () => Promise.resolve(stopped.stdout + stopped.stderr), 'resume'],
    [
      'where the mapping has changed since',
      async () => {
        await writeFile(bench.at('mapping.yaml'), MAPPING.replace('SIMPLE', 'VIP'));
        return (await imported('second')).stderr;
      },
      'undo',
    ],
    [
      'where a run is not there',
      async () => (await cli(['report', 'nothing', '--ledger', ledger()], bench.at(''))).stderr,
      'runs',
    ],
    [
      'in a report',
      async () => {
        const out = bench.at('report.html');
        await cli(['report', stopped.run, '--ledger', ledger(), '-o', out], bench.at(''));
        const page = await readFile(out, 'utf8');
        const [, command = ''] = /<code>(.*?)<\/code>/.exec(page) ?? [];
        return command.replaceAll(/&#39;|&#x27;|&apos;/g, "'");
      },
      'resume',
    ],
  ])('%s works where it is printed', async (_, printed, verb) => {
    const text = await printed();
    const [words = []] = commandsIn(text)
      .map(wordsOf)
      .filter(([first]) => first === verb);
    expect(words, text).toContain('--ledger');
    const confirmed = verb === 'undo' ? [...words, '--yes'] : words;
    const ended = await cli(confirmed, bench.at(''));
    expect([0, 2], ended.stderr).toContain(ended.code);
    const runs = JSON.parse(
      (await cli(['runs', '--json', '--ledger', ledger()], bench.at(''))).stdout,
    ) as { run: string; state: string }[];
    const state = { resume: 'finished', undo: 'stopped', runs: 'stopped' }[verb];
    expect(runs.find(({ run }) => run === stopped.run)?.state).toBe(state);
  });
});
