import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';

it('runs again and again, with rows of every kind, each of them accounted for', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'cardline-test-'));
  try {
    for (const _ of ['once', 'twice']) {
      const { code, stdout } = await cardline(['demo'], { cwd });
      expect(code).toBe(0);
      const report = /^report {3}(.*)$/m.exec(stdout)?.[1];
      const rejects = /^rejects {2}(.*)$/m.exec(stdout)?.[1];
      expect(existsSync(report!)).toBe(true);
      expect(existsSync(rejects!)).toBe(true);
      const { rows, outcomes } = JSON.parse(
        readFileSync(join(report!, '../summary.json'), 'utf8'),
      ) as { rows: number; outcomes: Record<string, number> };
      expect(rows).toBeGreaterThanOrEqual(1_000);
      expect(Object.values(outcomes).reduce((all, count) => all + count, 0)).toBe(rows);
      for (const kind of ['enqueued', 'enqueue_failed', 'failed', 'rejected', 'skipped'])
        expect(outcomes[kind], kind).toBeGreaterThan(0);
    }
  } finally {
    await rm(cwd, { recursive: true });
  }
});
