import { describe, expect, it } from 'vitest';
import { onTerminal } from '../kit/on-terminal.js';
import { leadsFolder } from './leads-folder.js';

const { at, run } = leadsFolder({ 'leads.csv': 'Id;Phone\n1;79160000001\n2;79160000002\n' });

const NEXT = /^(?:Next: | {2})cardline (.*)$/m;
const proposed = (stdout: string): string[] => (NEXT.exec(stdout)?.[1] ?? '').split(' ');
const importing = [
  ...['import', 'leads.csv', '-m', 'mapping.yaml', '-i', 'center.yaml'],
  ...['--sandbox', '--ledger', 'cardline.db'],
];

describe('clients that the contact center keeps as deleted', () => {
  it('are restored by the command that an undo, and an import that they make fail, end with', async () => {
    expect(await run(...importing)).toMatchObject({ code: 0 });
    const undone = await run('undo', '--yes', '--ledger', 'cardline.db');
    expect(undone.code, undone.stderr).toBe(0);
    const sent = proposed(undone.stdout);
    expect(sent).toContain('--recovery');

    const failed = await run(...importing);
    expect(failed.code).toBe(2);
    expect(failed.stdout).toContain(
      'failed: Client with identifiers: […] is deleted; recovery restores it',
    );
    expect(failed.stdout).toMatch(/2 {2}failed: /);
    expect(new Set(proposed(failed.stdout))).toEqual(new Set([...importing, '--recovery']));

    const restored = await run(...sent);
    expect(restored.code, restored.stderr).toBe(0);
    expect(restored.stdout).toMatch(/created +2/);
  });

  it('are named on a terminal without the identifiers in which the rows differ', async () => {
    expect(await run('undo', '--yes', '--ledger', 'cardline.db')).toMatchObject({ code: 0 });
    const words = importing.map((word) => (/\.(csv|yaml|db)$/.test(word) ? at(word) : word));
    const { stdout } = await onTerminal([...words, '--again', '--out', at('again')]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('2 failed: Client with identifiers: […] is');
    expect(proposed(stdout)).toContain('--recovery');
  });
});
