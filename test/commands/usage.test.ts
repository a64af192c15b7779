import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { commands } from '../../src/cli/commands/index.js';
import { run } from '../../src/cli/run.js';
import { cardline, root } from '../kit/cardline.js';

const version = /"version": "(.*)"/.exec(readFileSync(join(root, 'package.json'), 'utf8'))![1]!;

describe('help', () => {
  it('prints the version', async () => {
    expect(await cardline(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('names every command and exit code', async () => {
    const { code, stdout, stderr } = await cardline(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name } of commands) expect(stdout).toContain(`cardline ${name}`);
    expect(stdout).toContain('cardline completion');
    for (const exitCode of [0, 2, 3, 64, 70])
      expect(stdout).toMatch(new RegExp(`^  ${exitCode} `, 'm'));
  });

  it('shows the help of a command as people ask other programs for it', async () => {
    expect(await cardline(['help'])).toEqual(await cardline(['--help']));
    expect(await cardline(['help', 'import'])).toEqual(await cardline(['import', '--help']));
    expect((await cardline(['help', 'imprt'])).stdout).toContain('cardline <command>');
  });

  it.each(commands.map(({ name, optionNames }) => ({ name, optionNames })))(
    'shows options and an example of $name',
    async ({ name, optionNames }) => {
      const { code, stdout, stderr } = await cardline([name, '-h']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Examples:');
      for (const option of optionNames)
        expect(stdout).toMatch(new RegExp(`--${option}(?:, --\\w+)* +[A-Z]`));
    },
  );

  it('prints a completion script, and completes', async () => {
    const script = await cardline(['completion']);
    expect(script.code).toBe(0);
    expect(script.stdout).toContain('complete -o bashdefault');
    const words = await cardline(['--get-yargs-completions', 'cardline', 'im']);
    expect(words.stdout.split('\n')).toContain('import');
  });
});

describe('misuse ends with 64 and says what would be right', () => {
  it.each([
    [[], 'Say what to do.'],
    [['impotr', 'leads.csv'], 'There is no command "impotr". Did you mean import?'],
    [['quite-another-thing'], 'There is no command "quite-another-thing".\n'],
    [['--verison'], 'There is no option --verison. Did you mean --version?'],
    [['undo', '--sandbox'], '"undo" takes no --sandbox: the run has it on record.'],
    [['import'], '"import" needs <files..>.'],
    [['import', 'a.csv'], 'Missing: --mapping, --installation.'],
    [['check', 'a.csv', '-i', 'b.yaml'], 'Draft one: cardline suggest FILE'],
    [['import', 'a.csv', '--mappin', 'm', '-i', 'i'], 'Did you mean --mapping?'],
    [['import', 'a.csv', '-m'], '-m needs a value.'],
    [
      ['import', 'a.csv', '-m', 'm', '-i', 'i', '--max-cal-count', '3'],
      'Did you mean --max-call-count?',
    ],
    [
      ['import', 'a.csv', '-m', 'm', '-i', 'i', '--batch-size', '0'],
      '--batch-size takes a whole number from 1',
    ],
    [['import', 'a.csv', '-m', 'm', '-i', 'i', '--concurrency', 'many'], 'but got "many"'],
    [
      ['import', 'a.csv', '-m', 'm', '-i', 'i', '--campaign', ' '],
      '--campaign takes an id or a name.',
    ],
    [['rows', 'a.csv', 'b.csv'], '"rows" does not take "b.csv".'],
    [['rows', 'a.xlsx', '--sheet', '1', '--all-sheets'], 'Give --sheet or --all-sheets, not both.'],
    [['schema', 'maping'], 'takes one of "mapping", "installation"'],
    [['openapi', 'more'], '"openapi" does not take "more".'],
    [['sandbox', '-i', 'i', '--port', '65536'], '--port takes a whole number from 0 to 65535'],
  ])('%j', async (args, told) => {
    const { code, stdout, stderr } = await cardline(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr).not.toContain('    at ');
  });

  it('names the help of the command', async () => {
    expect((await cardline(['rows', '--limt', '1', 'a'])).stderr).toBe(
      'There is no option --limt. Did you mean --limit?\nTry: cardline rows --help\n',
    );
  });
});

it.each(['import', 'check', 'reconcile', 'undo', 'resume'])(
  'the help of %s has its options under headings',
  async (command) => {
    const { stdout } = await cardline([command, '--help']);
    expect(stdout).toMatch(/^Files:$[^]*^Pace:$|^Files:$[^]*^Trial:$/m);
    // An option that is in no group would stand there.
    expect(stdout).not.toMatch(/^Options:$/m);
  },
);

describe('colors', () => {
  const help = async (argv: readonly string[], hasColors: boolean): Promise<string> => {
    const stdout = Object.assign(new PassThrough(), { hasColors: () => hasColors });
    const printed = text(stdout);
    const [stdin, stderr] = [new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    await run(argv, { ...{ stdin, stdout, stderr, env: {}, interactive: false, signal } });
    stdout.end();
    return printed;
  };

  it('make headings bold where a terminal has any, unless a person wants none', async () => {
    expect(await help(['--help'], true)).toContain('\u001b[1mCommands:\u001b[22m');
    for (const plain of [
      await help(['--help'], false),
      await help(['--help', '--no-color'], true),
    ]) {
      expect(plain).toContain('Commands:');
      expect(plain).not.toContain('\u001b');
    }
  });
});
