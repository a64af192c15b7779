import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProgress, duration, percent, progressText } from '../../src/cli/progress.js';
import { noOutcomes } from '../../src/core/outcome.js';

const halfway = {
  rows: 12_000,
  share: 0.5,
  seconds: 90,
  outcomes: { ...noOutcomes(), enqueued: 11_900, rejected: 100 },
};

describe('progress in words', () => {
  it('tells rows, rate, outcomes and the time left', () => {
    expect(progressText(halfway)).toBe(
      '12,000 rows, 133 rows/s, enqueued 11,900, rejected 100, 1:30 left',
    );
  });

  it('says nothing of the time left before it can know, and at the end', () => {
    expect(progressText({ ...halfway, share: 0 })).not.toContain('left');
    expect(progressText({ ...halfway, share: 1 })).not.toContain('left');
  });

  it('writes times as people do', () => {
    expect([0, 59.6, 61, 3725].map(duration)).toEqual(['0:00', '1:00', '1:01', '1:02:05']);
  });

  it('is 100 percent only at the end', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (share) => {
        expect(percent(share) === 100).toBe(share >= 1);
        expect(percent(share)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('showing progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const terminalOf = (interactive: boolean) => {
    const stderr = new PassThrough();
    Object.assign(stderr, { isTTY: interactive, columns: 80 });
    return {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr,
      env: {},
      interactive,
      columns: 80,
      signal: new AbortController().signal,
    };
  };
  const shown = (stderr: PassThrough): string => String(stderr.read() ?? '');

  it('prints a plain line every ten seconds where there is no terminal', async () => {
    const terminal = terminalOf(false);
    const progress = await startProgress(terminal, false);
    progress.update(halfway);
    vi.advanceTimersByTime(9_999);
    expect(shown(terminal.stderr)).toBe('');
    vi.advanceTimersByTime(20_001);
    expect(shown(terminal.stderr)).toBe(`50 %: ${progressText(halfway)}\n`.repeat(3));
    progress.stop();
    vi.advanceTimersByTime(60_000);
    expect(shown(terminal.stderr)).toBe('');
  });

  it('draws a bar on a terminal, and takes it away', async () => {
    const terminal = terminalOf(true);
    const progress = await startProgress(terminal, false);
    progress.update(halfway);
    vi.advanceTimersByTime(1_000);
    progress.note('leads.csv: CSV');
    progress.stop();
    const text = shown(terminal.stderr);
    expect(text).toContain(`50 % ${progressText(halfway)}`);
    expect(text).toContain('leads.csv: CSV\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is silent when it is asked to be', async () => {
    const terminal = terminalOf(true);
    const progress = await startProgress(terminal, true);
    progress.update(halfway);
    progress.note('a note');
    progress.stop();
    vi.advanceTimersByTime(60_000);
    expect(shown(terminal.stderr)).toBe('');
  });
});
