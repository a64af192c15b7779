import { spawnSync } from 'node:child_process';

const PROGRAM = 'promtool';

/** Whether Prometheus' own checker of metrics is installed. */
export const HAS_PROMTOOL = spawnSync(PROGRAM, ['--version']).status === 0;

/** Said where tests need it. */
export const WITHOUT_PROMTOOL = HAS_PROMTOOL ? '' : ' (skipped: promtool is not installed)';

/** What it has to say of metrics; empty where nothing. @throws Error where it is not installed */
export function promtoolOn(text: string): string {
  const { status, stdout, stderr } = spawnSync(PROGRAM, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  if (status === null) throw new Error('promtool is not installed.');
  return status === 0 ? `${stdout}${stderr}` : `${status}: ${stdout}${stderr}`;
}
