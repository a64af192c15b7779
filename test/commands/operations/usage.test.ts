import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/commands/index.js';
import { loadNamed, type Command } from '../../../src/cli/command.js';
import { cardline } from '../../kit/cardline.js';
import { words, wordsIn } from '../../kit/words.js';
import { IDS, inProcess, useRecorder } from './harness.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'usage.yaml') as {
  readonly misuse: [string, string][];
  readonly faults: [string, string[]][];
  readonly filters: string[];
};

const bench = useRecorder();
const FILTER = words`applications remove-by-filter --campaign 42 --yes`;

const misused = (args: readonly string[]) => inProcess(bench.args(args));

beforeEach(() => {
  bench.center.requests.length = 0;
});

const names = commands.filter(({ load }) => load).map(({ name }) => name);
const groups: Command[] = (await loadNamed(commands, names)).filter(
  ({ subcommands }) => subcommands,
);
const parts = groups.flatMap(({ name, subcommands = [] }) =>
  subcommands.map((part) => ({ group: name, part: part.name, optionNames: part.optionNames })),
);

describe('help', () => {
  it.each(groups)('of $name names its commands', async ({ name, subcommands = [] }) => {
    const { code, stdout, stderr } = await inProcess([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of subcommands) expect(stdout).toContain(`cardline ${name} ${part.name}`);
  });

  it.each(parts)('of $group $part describes every option', async ({ group, part, optionNames }) => {
    const { code, stdout, stderr } = await inProcess([group, part, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const option of optionNames)
      expect(stdout).toMatch(new RegExp(`--${option.slice(0, 34)}[a-z]* +[A-Za-z]`));
    // What works on this machine alone has neither a trial nor codes of its own.
    if (!optionNames.includes('dry-run')) return;
    for (const told of ['Examples:', 'Exit codes:', '--dry-run', '--json'])
      expect(stdout).toContain(told);
  });

  it('of options is what the contract says of their fields', async () => {
    const { stdout } = await inProcess(['callbacks', 'create', '--help']);
    const flat = stdout.replace(/\s+/g, ' ');
    expect(flat).toContain('ISO 8601 with time-zone offset; must lie in the future. Required.');
    expect(flat).toContain('Required: --call-automatically or --no-call-automatically.');
    const filters = (await inProcess(['applications', 'remove-by-filter', '--help'])).stdout;
    expect(filters).toContain('application.hasRecall: true, false');
  });
});

describe('completion', () => {
  const completed = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await cardline(['--get-yargs-completions', 'cardline', ...words], {
      env: { SHELL: '/bin/bash' },
    });
    return stdout.split('\n');
  };

  it('knows the groups, their commands, options and words', async () => {
    expect(await completed('cam')).toContain('campaigns');
    expect(await completed('campaigns', '')).toEqual(
      expect.arrayContaining(['create', 'list', 'start', 'stop', 'restart', 'delete', 'task']),
    );
    expect(await completed('phones', 'add', '--ph')).toContain('--phone-number');
    expect(await completed('phones', 'add', '--type', '')).toEqual(
      expect.arrayContaining(['MOB', 'FAX']),
    );
    expect(await completed('groups', 'assign', '--mode', 'BY')).toContain('BY_ROUND');
  });
});

describe('misuse ends with 64, says what would be right, and sends nothing', () => {
  /** IDS stands for the identifiers of a client. */
  const argsOf = (line: string): string[] =>
    wordsIn(line).flatMap((word) => (word === 'IDS' ? IDS : [word]));

  it.each(CASES.misuse)('%s', async (line, told) => {
    const args = argsOf(line);
    const { code, stdout, stderr } = await inProcess(args.length < 2 ? args : bench.args(args));
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr).not.toContain('    at ');
    expect(bench.center.requests).toEqual([]);
  });

  it.each(CASES.faults)('%s names every fault', async (line, told) => {
    const { code, stdout, stderr } = await misused(argsOf(line));
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual(told);
    expect(bench.center.requests).toEqual([]);
  });

  it('wrong filters are told with the nearest and the list', async () => {
    const wrong = CASES.filters;
    const where = wrong.flatMap((text) => ['--where', text]);
    const { code, stderr } = await misused([...FILTER, ...where]);
    expect(code).toBe(64);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(
        /there is no filter key "application\.statu"\. Did you mean "application\.status"\? There is: application\.status, .*offerId/,
      ),
      expect.stringMatching(/cannot be "failed"\. Did you mean "FAILED"\? There is: NONE, STARTED/),
      '--where: "!=" is not an operator. There is: LIKE, NOT LIKE, =.',
      '--where: "LIK" is not an operator. Did you mean "LIKE"? There is: LIKE, NOT LIKE, =.',
      '--where: "offerId" is compared with a number, but got "seven".',
      '--where: "segment" cannot be "tepid". There is: cold, warm.',
      expect.stringMatching(/takes "key operator value", but got "nonsense"/),
      '--where: "fullName =" needs a value.',
    ]);
    expect(bench.center.requests).toEqual([]);
  });

  it('data is told by its place', async () => {
    const data = await bench.write(
      'clients.yaml',
      `- clientRoleId: 1
  type: SIMPEL
  timeZone: Europe/Moscow
  fields: {}
  phones: []
- uuid: a
  type: VIP
`,
    );
    const { code, stderr } = await misused(words`clients add --data ${data}`);
    expect(code).toBe(64);
    expect(stderr).toContain(
      `${data}:2:9: clients[0].type: it must be one of SIMPLE, VIP. Did you mean "SIMPLE"?`,
    );
    expect(stderr).toContain(`${data}:5:3: clients[0].phones: it must have an entry.`);
    expect(stderr).toContain(`${data}:6:3: clients[1].phones: this is required.`);
    const enqueue = words`applications add --campaign 42 --max-call-count 1 --data`;
    const named = '[{"clientIdentifiers":{"offerId":7,"offerDomian":"shop"}}]';
    const inline = await misused([...enqueue, named]);
    expect(inline.stderr).toBe(
      '--data:1:3: clients[0].clientIdentifiers: "offerDomian" is not a field of the card. Did you mean "offerDomain"?\n',
    );
    const unknown = await misused([...FILTER, '--data', '{"criterias":[]}']);
    expect(unknown.stderr).toContain(
      '--data:1:2: criterias: "criterias" is not known here. Did you mean "criteria"?',
    );
    const empty = await misused([...FILTER, '--data', '{"criteria":[]}']);
    expect(empty.stderr).toContain('criteria: there is no filter, and so every call application');
    const twins = await misused(['clients', 'add', '--data', '[{"uuid":"a"},{"uuid":"a"}]']);
    expect(twins.stderr).toContain('two clients have the uuid "a". Leave it out.');
    expect(bench.center.requests).toEqual([]);
  });

  it('what options give wins over the data', async () => {
    const data = '{"phoneNumber":"1","type":"FAX"}';
    const add = words`phones add ${IDS} --data ${data} --type WORK`;
    expect((await misused(add)).code).toBe(0);
    expect(bench.center.requests).toMatchObject([{ body: { phoneNumber: '1', type: 'WORK' } }]);
  });
});
