import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csv, identityOf, lead, leads, twice, until } from '../runs/harness.js';
import { type Arrivals, openArrivals } from './harness.js';

let arrivals: Arrivals;
beforeEach(async () => {
  arrivals = await openArrivals();
});
afterEach(() => arrivals.close());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('files that have arrived', () => {
  it('are imported in the order of their names, and put away by how they ended', async () => {
    await arrivals.arrive('leads-2.csv', [lead(3), lead(4, { Mobile: 'none' })]);
    await arrivals.arrive('leads-1.csv', leads(2));
    await arrivals.arrive('leads-3.csv', 'PDF-1.4\0\0 no list');
    await arrivals.arrive('notes.txt', 'not for us');
    const { code, stderr } = await arrivals.watch();
    expect(code, stderr).toBe(2);
    expect(arrivals.center.creations.size).toBe(3);
    expect(await arrivals.names()).toEqual(['done', 'failed', 'notes.txt']);
    expect(await arrivals.names('done')).toEqual([
      'leads-1.csv',
      'leads-1.csv.report.csv',
      'leads-1.csv.summary.json',
    ]);
    expect(await arrivals.names('failed')).toEqual([
      'leads-2.csv',
      'leads-2.csv.rejects.csv',
      'leads-2.csv.report.csv',
      'leads-2.csv.summary.json',
      'leads-3.csv',
      'leads-3.csv.error.txt',
    ]);
    expect(stderr.indexOf('leads-1.csv')).toBeLessThan(stderr.indexOf('leads-2.csv'));
    expect(stderr).toContain('1 of 2 rows of leads-2.csv need you.');
  });

  it('are not imported twice when the same content comes again', async () => {
    await arrivals.arrive('leads-1.csv', leads(2));
    await arrivals.watch();
    await arrivals.arrive('leads-1.csv', leads(2));
    const { code, stderr } = await arrivals.watch();
    expect(code).toBe(0);
    expect(stderr).toContain('leads-1.csv has been imported before; nothing was sent.');
    expect(twice(arrivals.center.creations)).toEqual([]);
    expect(await arrivals.names('done')).toContain('leads-1-2.csv');
  });

  it('that are corrected rejects under another name create no client once more', async () => {
    arrivals.center.behave = ({ operation }) =>
      operation === '4.9' ? { refuse: () => 'Client is in blacklist' } : undefined;
    await arrivals.arrive('leads-1.csv', [...leads(2), lead(3, { Mobile: 'none' })]);
    expect((await arrivals.watch()).code).toBe(2);
    arrivals.center.behave = () => undefined;
    const rejects = await readFile(arrivals.in('failed/leads-1.csv.rejects.csv'), 'utf8');
    await arrivals.arrive('leads-1-corrected.csv', rejects.replace('none', lead(3).Mobile));
    const { code, stderr } = await arrivals.watch();
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(/created once more|were lost/);
    expect(arrivals.center.creations.size).toBe(3);
    expect(twice(arrivals.center.creations)).toEqual([]);
  });

  it('wait until they have stopped to grow', async () => {
    await arrivals.pickup('ready: { stableFor: 3s }');
    const rows = leads(6);
    await arrivals.arrive('leads-1.csv', rows.slice(0, 2));
    const { ended } = arrivals.startWatch(['--once']);
    for (const row of rows.slice(2)) {
      await sleep(700);
      await appendFile(arrivals.in('leads-1.csv'), csv([row]).split('\r\n').slice(1).join('\r\n'));
    }
    expect((await ended).code).toBe(0);
    expect([...arrivals.center.creations.keys()].sort()).toEqual(rows.map(identityOf).sort());
    expect(arrivals.center.requests.length).toBeLessThan(6);
  });

  it('are read as they are when they are packed with gzip', async () => {
    const pickup = await readFile(arrivals.at('pickup.yaml'), 'utf8');
    await arrivals.write('pickup.yaml', pickup.replace('leads-*.csv', 'leads-*.gz'));
    await writeFile(arrivals.in('leads-1.csv.gz'), gzipSync(csv(leads(2))));
    expect((await arrivals.watch()).code).toBe(0);
    expect(arrivals.center.creations.size).toBe(2);
    expect(await arrivals.names('done')).toContain('leads-1.csv.gz.report.csv');
  });

  it('wait for their marker, which goes with them', async () => {
    await arrivals.pickup("ready: { marker: '{name}.done' }");
    await arrivals.arrive('leads-1.csv', leads(1));
    const running = arrivals.startWatch(['--once']);
    await sleep(1500);
    expect(arrivals.center.creations.size).toBe(0);
    await writeFile(arrivals.in('leads-1.csv.done'), '');
    expect((await running.ended).code).toBe(0);
    expect(arrivals.center.creations.size).toBe(1);
    expect(await arrivals.names()).toEqual(['done']);
  });

  it('are held against their manifest', async () => {
    await arrivals.pickup("ready: { manifest: '{name}.sha256' }");
    const [whole, cut] = [csv(leads(2)), csv(leads(4))];
    await arrivals.arrive('leads-1.csv', whole);
    await arrivals.arrive('leads-1.csv.sha256', `${sha256(whole)}  leads-1.csv\n`);
    await arrivals.arrive('leads-2.csv', cut.slice(0, -100));
    await arrivals.arrive('leads-2.csv.sha256', `${sha256(cut)} *leads-2.csv\n`);
    const { code, stderr } = await arrivals.watch();
    expect(code).toBe(2);
    expect(arrivals.center.creations.size).toBe(2);
    expect(await arrivals.names('failed')).toEqual(['leads-2.csv', 'leads-2.csv.error.txt']);
    expect(stderr).toContain('cut short or changed on its way');
  });
});

describe('a watcher', () => {
  it('killed at any moment loses nothing and sends nothing twice', async () => {
    const rows = leads(400);
    for (let file = 0; file < 4; file++)
      await arrivals.arrive(`leads-${file}.csv`, rows.slice(file * 100, file * 100 + 100));
    for (const after of [150, 350, 450, 550, 650, 750]) {
      const { child, ended } = arrivals.startWatch(['--once']);
      await sleep(after);
      child.kill('SIGKILL');
      await ended;
    }
    const { code, stderr } = await arrivals.watch();
    expect(code, stderr).toBe(0);
    expect(arrivals.center.creations.size).toBe(400);
    expect(twice(arrivals.center.creations)).toEqual([]);
    expect(
      (await arrivals.names('done')).filter((name) => /^leads-\d\.csv$/.test(name)),
    ).toHaveLength(4);
    expect(await arrivals.names()).toEqual(['done']);
  });

  it('notices that its folder goes away, and that it is back', async () => {
    const { child, ended } = arrivals.startWatch();
    let said = '';
    child.stderr.on('data', (text: string) => (said += text));
    await sleep(800);
    await rename(arrivals.at('in'), arrivals.at('elsewhere'));
    await until(() => said.includes('there is no such folder'), 'the folder is missed');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    await rename(arrivals.at('elsewhere'), arrivals.at('in'));
    const again = arrivals.startWatch();
    again.child.stderr.on('data', (text: string) => (said += text));
    await until(() => said.includes('is back'), 'the folder is found again');
    again.child.kill('SIGTERM');
    await again.ended;
    expect(said.match(/no such folder/g)).toHaveLength(1);
  });

  it('deletes what was put away after its time, and nothing else', async () => {
    await arrivals.pickup('ready: { stableFor: 0s }\n    after: { keep: 0s }');
    await mkdir(arrivals.in('done'));
    await writeFile(arrivals.in('done/own.csv'), 'not ours');
    await arrivals.arrive('leads-1.csv', leads(1));
    await arrivals.watch();
    await arrivals.watch();
    expect(await arrivals.names('done')).toEqual(['own.csv']);
  });
});

describe('a pickup file', () => {
  it('is checked with all that it names, and nothing is taken', async () => {
    await arrivals.arrive('leads-1.csv', leads(1));
    await arrivals.write(
      'pickup.yaml',
      `pickups:
  - { name: a, from: in, files: '*.csv', import: { mapping: nowhere.yaml, installation: center.yaml, max-failures: many } }
  - { name: b, from: in, files: '*.csv', ready: { marker: done }, import: { mapping: mapping.yaml, installation: center.yaml } }
notify: [{ to: webhook, url: 'https://example.com', on: [nothing] }]
`,
    );
    const { code, stderr } = await arrivals.watch(['--check']);
    expect(code).toBe(64);
    expect(stderr).toMatch(/pickup\.yaml:2:\d+.*max-failures/);
    expect(stderr).toMatch(/pickup\.yaml:3:\d+.*\{name\}/);
    expect(stderr).toMatch(/pickup\.yaml:4:\d+/);
    expect(await arrivals.names()).toEqual(['leads-1.csv']);
  });

  it('is checked for its places, and says where each mistake is', async () => {
    const places = [
      'from: in, after: { good: . }',
      'from: in, after: { bad: .cardline/a }',
      'from: ftp://files.example.com/in',
      "from: 'sftp://me:secret-word@files.example.com/in'",
      "from: sftp://me@files.example.com/in, sftp: { passphrase: '${NOT_SET}' }",
      's3: { region: x }, from: in',
      's3: {}, from: s3://NOT_A_BUCKET/in',
    ];
    const rest = "files: '*', import: { mapping: mapping.yaml, installation: center.yaml }";
    const lines = places.map((place, index) => `  - { name: p${index}, ${place}, ${rest} }`);
    await arrivals.write('pickup.yaml', ['pickups:', ...lines, ''].join('\n'));
    const { code, stderr } = await arrivals.watch(['--check']);
    expect(code).toBe(64);
    for (const [index] of places.entries())
      expect(stderr).toMatch(new RegExp(String.raw`pickup\.yaml:${index + 2}:\d+`));
    expect(stderr).not.toContain('secret-word');
  });

  it('says which of its places cannot be used', async () => {
    await rm(arrivals.at('in'), { recursive: true });
    const { code, stdout } = await arrivals.watch(['--check']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^no {2}vendor: .*there is no such folder/);
  });

  it('looks for the folder of its figures', async () => {
    await arrivals.pickup(undefined, 'metrics: { file: figures/cardline.prom }');
    const { code, stdout } = await arrivals.watch(['--check']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^no {2}metrics: there is no folder .*figures\. Make it/m);
    await mkdir(arrivals.at('figures'));
    expect((await arrivals.watch(['--check'])).code).toBe(0);
  });

  it('keeps no secret in what it says or writes', async () => {
    await arrivals.arrive('leads-1.csv', leads(1));
    const { stderr } = await arrivals.watch();
    const state = await readFile(arrivals.at('pickup.state.db'), 'latin1');
    for (const text of [stderr, state]) {
      expect(text).not.toContain('tok-5f2c');
      expect(text).not.toContain('Testoff');
    }
  });
});
