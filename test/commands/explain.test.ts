import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/cli/output/explain.js';
import { EXIT, LedgerError, UsageError } from '../../src/core/errors.js';
import { cardline, startCardline } from '../kit/cardline.js';

const secret = 'Ivan Petrov +79160000000';

describe('an error in words', () => {
  it('takes exit code and message of the errors raised on purpose', () => {
    expect(explain(new UsageError('That way.'), false)).toEqual({
      exitCode: 64,
      text: 'That way.',
    });
    expect(explain(new LedgerError('It is locked.'), false).exitCode).toBe(EXIT.stopped);
  });

  it('says what the person can do about an error of the operating system', async () => {
    const error: unknown = await readFile('/no/such/file').catch((reason: unknown) => reason);
    const { exitCode, text } = explain(error, false);
    expect(exitCode).toBe(64);
    expect(text).toMatch(/^There is no such file or folder .*\/no\/such\/file/);
  });

  it('keeps what an unexpected error holds to itself, unless it is asked', () => {
    const { exitCode, text } = explain(new TypeError(secret), false);
    expect(exitCode).toBe(70);
    expect(text).toContain('an internal error of cardline (TypeError)');
    expect(text).not.toContain(secret);
    expect(explain(new TypeError(secret), true).text).toContain(secret);
    expect(explain(secret, false).text).not.toContain(secret);
  });

  it('is quiet about a stop that was asked for', () => {
    expect(explain(new DOMException('aborted', 'AbortError'), false)).toEqual({
      exitCode: 3,
      text: 'Stopped.',
    });
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
    const { child, ended } = startCardline(['rows', '-'], {
      env: { NODE_OPTIONS: whenReady(code) },
    });
    const { code: exitCode, stderr } = await ended;
    expect(child.killed).toBe(false);
    expect(exitCode).toBe(70);
    expect(stderr).toContain('an internal error of cardline');
    expect(stderr).not.toContain(secret);
  });

  it('shows the stack with CARDLINE_DEBUG', async () => {
    const { code, stderr } = await cardline(['schema', 'mapping'], {
      env: {
        NODE_OPTIONS: preload('JSON.stringify = () => { throw new TypeError("broken") }'),
        CARDLINE_DEBUG: '1',
      },
    });
    expect(code).toBe(70);
    expect(stderr).toContain('TypeError: broken\n    at ');
  });
});
