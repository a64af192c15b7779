import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { print, type Terminal } from '../../src/cli/output/output.js';
import { run } from '../../src/cli/run.js';

const terminalOf = (stdin = new PassThrough()) => ({
  stdin,
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  interactive: false,
  signal: new AbortController().signal,
});

const outcome = async (argv: string[], terminal: ReturnType<typeof terminalOf>) => {
  const code = await run(argv, terminal satisfies Terminal);
  terminal.stdout.end();
  terminal.stderr.end();
  return { code, stdout: await text(terminal.stdout), stderr: await text(terminal.stderr) };
};

describe('the command line as a function', () => {
  it('reads and writes the streams that it is given', async () => {
    const terminal = terminalOf();
    terminal.stdin.end('a,b\n');
    expect(await outcome(['rows', '-'], terminal)).toEqual({
      code: 0,
      stdout: '{"sheet":null,"row":1,"cells":["a","b"]}\n',
      stderr: '',
    });
  });

  it('gives an exit code instead of throwing', async () => {
    const { code, stdout, stderr } = await outcome(['rows'], terminalOf());
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toBe('"rows" needs <file>.\nTry: cardline rows --help\n');
  });
});

describe('printing', () => {
  it('waits until the text is taken', async () => {
    const taken: string[] = [];
    const slow = new Writable({
      write(chunk: Buffer, _encoding, done) {
        setTimeout(() => {
          taken.push(chunk.toString());
          done();
        }, 20);
      },
    });
    expect(await print(slow, 'one')).toBe(true);
    expect(taken).toEqual(['one']);
  });

  it('tells when nobody reads any more', async () => {
    const closed = new PassThrough();
    closed.destroy();
    expect(await print(closed, 'one')).toBe(false);
  });

  it('does not hide that the text could not be stored', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no room')) });
    full.on('error', () => undefined);
    await expect(print(full, 'one')).rejects.toThrow('The output cannot be written: no room.');
  });
});
