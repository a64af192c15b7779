import { expect, it } from 'vitest';

it('a quick test that starts a process is told where it belongs', async () => {
  // Not by its name, which would have this file run among those that may.
  const { spawn } = (await import(['node', 'child_process'].join(':'))) as {
    spawn: (program: string) => unknown;
  };
  expect(() => spawn('true')).toThrow('starts a process');
});
