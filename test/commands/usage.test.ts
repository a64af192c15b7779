import { PassThrough, Writable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.js';
import { run } from '../../src/cli/run.js';
import { explain, print } from '../../src/cli/output/output.js';
import { operations } from '../../src/contract/operations.js';
import { LedgerError, UsageError } from '../../src/core/errors.js';
import { cardline, root, startCardline } from '../kit/cardline.js';
import { wordsIn } from '../kit/words.js';
import { inProcess } from './operations/harness.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'usage.yaml') as [string, string][];

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

  it('is shown as people ask other programs for it', async () => {
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
      if (!['import', 'check', 'reconcile', 'undo', 'resume'].includes(name)) return;
      expect(stdout).toMatch(/^Files:$[^]*^(?:Pace|Trial):$/m);
      // An option that is in no group would stand there.
      expect(stdout).not.toMatch(/^Options:$/m);
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
  /** FILES stands for a list, a mapping and an installation. */
  it.each(CASES)('%s', async (line, told) => {
    const args = wordsIn(line.replace('FILES', 'a.csv -m m -i i'));
    const { code, stdout, stderr } = await inProcess(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr).not.toContain('    at ');
  });
});

describe('documents', () => {
  /** What a command prints, as JSON. */
  async function document<T>(line: string): Promise<T> {
    const { code, stdout, stderr } = await cardline(wordsIn(line));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as T;
  }

  it('print the interface as OpenAPI 3.1', async () => {
    const { openapi, paths } = await document<{
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    }>('openapi');
    expect(openapi).toMatch(/^3\.1\./);
    for (const { method, path } of Object.values(operations))
      expect(paths[path], path).toHaveProperty(method.toLowerCase());
  });

  it.each([
    ['mapping', ['client', 'campaign', 'where', 'duplicates']],
    ['installation', ['baseUrl', 'card', 'limits', 'sandbox']],
  ])('print the JSON Schema of a %s file', async (kind, sections) => {
    interface Form {
      readonly properties: object;
    }
    const { anyOf, ...whole } = await document<Form & { anyOf?: Form[] }>(`schema ${kind}`);
    const names = (anyOf ?? [whole]).flatMap(({ properties }) => Object.keys(properties));
    expect(names).toEqual(expect.arrayContaining(sections));
  });
});

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

describe('printing', () => {
  it('waits until the text is taken', async () => {
    const taken: string[] = [];
    const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
      setTimeout(() => {
        taken.push(chunk.toString());
        done();
      }, 20);
    };
    expect(await print(new Writable({ write }), 'one')).toBe(true);
    expect(taken).toEqual(['one']);
  });

  it('tells when nobody reads any more', async () => {
    expect(await print(new PassThrough().destroy(), 'one')).toBe(false);
  });
});

const secret = 'Ivan Petrov +79160000000';
const missing: unknown = await readFile('/no/such/file').catch((reason: unknown) => reason);

describe('an error in words', () => {
  it.each([
    ['raised on purpose', new UsageError('That way.'), 64, /^That way\.$/],
    ['of the ledger', new LedgerError('It is locked.'), 3, /^It is locked\.$/],
    ['that is a stop', new DOMException('aborted', 'AbortError'), 3, /^Stopped\.$/],
    ['of the operating system', missing, 64, /^There is no such file or folder .*\/no\/such\/file/],
    ['of our own', new TypeError(secret), 70, /an internal error of cardline \(TypeError\)/],
    ['that is none', secret, 70, /an internal error of cardline/],
  ])('%s', (_, error, exitCode, told) => {
    const { text, ...explained } = explain(error, false);
    expect(explained).toEqual({ exitCode });
    expect(text).toMatch(told);
    expect(text).not.toContain(secret);
  });

  it('shows what it holds where it is asked', () => {
    expect(explain(new TypeError(secret), true).text).toContain(secret);
  });
});

describe('a process that meets a fault of its own', () => {
  const preload = (code: string): string =>
    `--import=data:text/javascript,${encodeURIComponent(code)}`;
  /** Once the process is ready to meet faults. */
  const whenReady = (code: string): string =>
    preload(`process.on("newListener", (event) => {
      if (event === "unhandledRejection") setTimeout(() => { ${code} });
    })`);

  it.each([
    ['thrown', `throw new TypeError("${secret}")`],
    ['rejected', `Promise.reject(new TypeError("${secret}"))`],
  ])('ends with 70 when it was %s and nobody caught it', async (_way, code) => {
    const env = { NODE_OPTIONS: whenReady(code) };
    const { child, ended } = startCardline(['rows', '-'], { env });
    const { code: exitCode, stderr } = await ended;
    expect([child.killed, exitCode]).toEqual([false, 70]);
    expect(stderr).toContain('an internal error of cardline');
    expect(stderr).not.toContain(secret);
  });

  it('shows the stack with CARDLINE_DEBUG', async () => {
    const broken = preload('JSON.stringify = () => { throw new TypeError("broken") }');
    const env = { NODE_OPTIONS: broken, CARDLINE_DEBUG: '1' };
    const { code, stderr } = await cardline(['schema', 'mapping'], { env });
    expect(code).toBe(70);
    expect(stderr).toContain('TypeError: broken\n    at ');
  });
});
