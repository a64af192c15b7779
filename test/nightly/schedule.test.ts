import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Ended } from '../kit/cardline.js';
import { useOpened } from '../kit/bench.js';
import { openArrivals } from './harness.js';

const ANALYZE = 'systemd-analyze';
const HAS_SYSTEMD = spawnSync(ANALYZE, ['--version']).status === 0;
const WITHOUT = HAS_SYSTEMD ? '' : ' (skipped: systemd-analyze is not installed)';
/** Of 10, at which a service may do anything. What is left is the network, which it is for. */
const MAX_EXPOSURE = 2;

const arrivals = useOpened(async () => {
  const opened = await openArrivals();
  const notify =
    "notify: [{ to: webhook, url: 'https://hooks.example/${HOOK_PATH}', secret: '${credential:hook}' }]";
  await opened.pickup(
    undefined,
    `# not \${THIS}\n${notify}\nmetrics: { file: figures/cardline.prom }`,
  );
  return opened;
});

const print = (...args: string[]): Promise<Ended> => arrivals.run('schedule', 'print', ...args);
/** What a shell says of a script that it only reads. */
const readByShell = (script: string) => spawnSync('sh', ['-n', '-c', script], { encoding: 'utf8' });
const FINE = { status: 0, stderr: '' };
const at = ['--at', '21:30 Europe/Moscow'];

describe('units of systemd', () => {
  it('start the watcher once a day, with what the files ask for', async () => {
    const { code, stdout, stderr } = await print('systemd', 'pickup.yaml', ...at);
    expect(code, stderr).toBe(0);
    for (const line of [
      /^ExecStart=.*main\.js watch \S+pickup\.yaml --once$/m,
      /^OnCalendar=\*-\*-\* 21:30:00 Europe\/Moscow$/m,
      /^Persistent=true$/m,
      /^LoadCredential=hook:/m,
      /^EnvironmentFile=/m,
      /^Restart=on-failure$/m,
      /^RestartPreventExitStatus=2 64$/m,
    ])
      expect(stdout).toMatch(line);
    expect(stderr).toContain('HOOK_PATH=');
    expect(stderr).not.toContain('THIS');
    expect(stderr).toContain('enable --now cardline-pickup.timer');
  });

  it('watch all the time where no time is given', async () => {
    const { stdout } = await print('systemd', 'pickup.yaml');
    expect(stdout).not.toContain('--once');
    expect(stdout).not.toContain('[Timer]');
    expect(stdout).toMatch(/^WantedBy=multi-user\.target$/m);
  });

  it.skipIf(!HAS_SYSTEMD)(`are right, and leave little open${WITHOUT}`, async () => {
    const text = await readFile(arrivals.at('pickup.yaml'), 'utf8');
    const own = '100 % of "a" $HOME.yaml';
    await arrivals.write(own, text);
    for (const args of [['pickup.yaml', ...at], ['pickup.yaml'], [own, ...at]]) {
      const { code, stdout, stderr } = await print('systemd', ...args, '-o', 'units', '--force');
      expect(code, stderr).toBe(0);
      const units = stdout
        .trim()
        .split('\n')
        .map((unit) => arrivals.at(unit));
      const verified = spawnSync(ANALYZE, ['verify', ...units], { encoding: 'utf8' });
      expect([verified.status, verified.stderr]).toEqual([0, '']);
      const service = units.find((unit) => unit.endsWith('.service')) ?? '';
      const security = ['security', '--offline=true', '--no-pager', service];
      const score = /exposure level for .*: ([\d.]+)/.exec(
        spawnSync(ANALYZE, security, { encoding: 'utf8' }).stdout,
      );
      expect(Number(score?.[1])).toBeLessThan(MAX_EXPOSURE);
    }
  });
});

describe('a line for cron', () => {
  it('has one watcher at a time, and goes on after code 3', async () => {
    const { code, stdout, stderr } = await print('cron', 'pickup.yaml', '--at', '21:30 Asia/Omsk');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^CRON_TZ=Asia\/Omsk$/m);
    const [line = '', ...others] = stdout.split('\n').filter((one) => /^\d/.test(one));
    expect(others).toEqual([]);
    expect(line).toMatch(/^30 21 \* \* \* cardline cd \S+ && flock -n /);
    const command = line.replace(/^(\S+ ){6}/, '').replaceAll('\\%', '%');
    expect(readByShell(command)).toMatchObject(FINE);
  });
});

describe('what is printed beside a schedule', () => {
  it('can be pasted, and asks for what is secret', async () => {
    const out = arrivals.at('units');
    const { stderr } = await print('systemd', 'pickup.yaml', ...at, '-o', out);
    const folder = arrivals.at('.').replace(/\/$/, '');
    expect(stderr).toContain(`|| useradd --system cardline; } && chown -R cardline: ${folder}\n`);
    expect(stderr).toMatch(/pickup\.env {3}# type HOOK_PATH=…, Enter, .*Ctrl-D$/m);
    const steps = stderr.split('\n').filter((line) => line.startsWith('  '));
    expect(readByShell(steps.join('\n'))).toMatchObject(FINE);
  });

  it('replaces no other file without being told to', async () => {
    const into = ['-o', arrivals.at('units')];
    expect((await print('systemd', 'pickup.yaml', ...into)).code).toBe(0);
    const unit = arrivals.at('units/cardline-pickup.service');
    const before = await readFile(unit, 'utf8');
    expect((await print('systemd', 'pickup.yaml', ...into)).code).toBe(0);
    const refused = await print('systemd', 'pickup.yaml', ...at, ...into);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain('cardline-pickup.service exists already, with another text');
    expect(await readdir(arrivals.at('units'))).toEqual(['cardline-pickup.service']);
    expect(await readFile(unit, 'utf8')).toBe(before);
    expect((await print('systemd', 'pickup.yaml', ...at, ...into, '--force')).code).toBe(0);
    expect(await readFile(unit, 'utf8')).not.toBe(before);
  });

  it('says which file would be noticed as late a day after', async () => {
    const withExpectation = (by: string): Promise<void> =>
      arrivals.pickup(`expect: { by: '${by}' }`);
    const note = /vendor: a file that has not come by .* is noticed at 21:30 .* next day/;
    await withExpectation('22:30 Europe/Moscow');
    expect((await print('systemd', 'pickup.yaml', ...at)).stderr).toMatch(note);
    expect((await print('cron', 'pickup.yaml', ...at)).stderr).toMatch(note);
    // Whoever watches all the time notices it at once.
    expect((await print('systemd', 'pickup.yaml')).stderr).not.toMatch(note);
    // The same moment, by another clock.
    await withExpectation('18:30 UTC');
    expect((await print('systemd', 'pickup.yaml', ...at)).stderr).not.toMatch(note);
  });
});

it('no schedule is printed for a time that is none, or a file that is wrong', async () => {
  expect((await print('systemd', 'pickup.yaml', '--at', 'noon')).code).toBe(64);
  await arrivals.write('wrong.yaml', 'pickups: []');
  const { code, stderr } = await print('cron', 'wrong.yaml');
  expect(code).toBe(64);
  expect(stderr).toMatch(/wrong\.yaml:1:\d+/);
});
