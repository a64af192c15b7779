import { describe, expect, it } from 'vitest';
import { countOutcomes, identityIn, type Line } from '../../kit/bench.js';
import { differences } from './books.js';
import { DOMAIN, baseOf, isDeleted, phoneOf } from './clients.js';
import { within } from './compare.js';
import { OPTIONS, type Run, brokenOff, counted, useWorld } from './world.js';

describe('a run', () => {
  const ROWS = 60;
  const stage = useWorld(['create', 'upsert', 'delete', 'dequeue'], ROWS);
  const { world, center, gate } = stage;

  it('that broke off is not continued in another mode, and it is told why', async () => {
    const args = await world.importOf('create', 'other', gate.url);
    await brokenOff(stage, args, 3, 'SIGINT');
    const before = center.books();
    const other = await world.run([...args, '--mode', 'upsert']);
    const words =
      /not at its end, and the mapping \(or --mode, --recovery, --limit or --rows\) has changed since it began/;
    expect([other.code, other.stderr]).toEqual([64, expect.stringMatching(words)]);
    const recovering = await world.run([...args, '--recovery']);
    expect([recovering.code, recovering.stderr]).toEqual([64, expect.stringMatching(words)]);
    const deleting = await world.importOf('create', 'other', gate.url, [
      '--mode',
      'delete',
      '--yes',
    ]);
    const campaign = deleting.indexOf('--campaign');
    const refused = await world.run(deleting.toSpliced(campaign, 2));
    expect(refused.code).toBe(64);
    expect([...differences(before, center.books())]).toEqual([]);
    const same = await world.run(args);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('Continuing run')]);
    expect((await same.summary()).rows).toBe(ROWS);
  });

  it('that broke off is continued in its own mode by "resume"', async () => {
    const args = await world.importOf('delete', 'delete', gate.url, ['--mode', 'delete']);
    await brokenOff(stage, args, ROWS / 2, 'SIGINT');
    const places = ['--ledger', world.at('delete.db'), '--out', world.at('delete')];
    const resumed = await world.run(['resume', ...places, ...OPTIONS]);
    expect(resumed.code, resumed.stderr).toBe(2);
    expect(await resumed.summary()).toMatchObject({
      rows: ROWS,
      mode: 'delete',
      state: 'finished',
    });
    const { deleted = 0 } = countOutcomes(await resumed.report());
    expect(deleted).toBeGreaterThan(ROWS / 3);
    expect(differences(world.before, center.books(), within('delete')).size).toBe(deleted);
  });

  it('that has been done is not done again, and another mode is another run', async () => {
    const args = await world.importOf('upsert', 'done', gate.url);
    const once = await world.run(args);
    const { run: first } = await once.summary();
    const requests = counted(gate);
    const second = await world.run(args);
    expect([second.code, second.stderr]).toEqual([
      once.code,
      expect.stringContaining('imported already'),
    ]);
    // The campaign is looked for; nobody is created, changed or enqueued.
    expect(requests()).toBe(1);
    const third = await world.run([...args, '--mode', 'enqueue']);
    const summary = await third.summary();
    expect(summary).toMatchObject({ mode: 'enqueue', rows: ROWS });
    expect(summary.run).not.toBe(first);
  });
});

describe('an import', () => {
  const { world, center, gate } = useWorld(['create'], 30);

  const ended = (lines: readonly Line[], outcome: string): string[] =>
    lines
      .filter((line) => line['outcome'] === outcome)
      .map((line) => JSON.stringify(identityIn(line)));

  it('whose clients a later run removed from the campaign adds them again', async () => {
    const args = await world.importOf('create', 'reversed', gate.url);
    const first = ended(await (await world.run(args)).report(), 'enqueued');
    expect(first.length).toBeGreaterThan(0);
    const cards = center.books().size;
    const removed = await world.run([...args, '--mode', 'dequeue', '--yes']);
    expect(ended(await removed.report(), 'dequeued')).toEqual(expect.arrayContaining(first));

    const again = await world.run(args);
    expect(again.stderr).not.toContain('imported already');
    const report = await again.report();
    // Those alone whose cards the first run made; the last one does not claim to have created them.
    expect(ended(report, 'enqueued')).toEqual(first);
    expect(center.books().size).toBe(cards);
    for (const line of report.filter(({ outcome }) => outcome === 'enqueued'))
      expect(line['createResult']).toMatch(/^Created by run /);
  });
});

describe('a lookup that was answered by half', () => {
  const ROWS = 20;
  const { world, gate } = useWorld(['upsert'], ROWS);

  it('is asked again', async () => {
    const clean = await world.center('clean');
    const whole = await world.run(await world.importOf('upsert', 'clean', clean.url));
    await clean.close();
    const seen = new Set<string>();
    gate.behave = ({ line, body }) => {
      if (!line.endsWith('/clients/by/syncIds.json') || seen.has(body)) return undefined;
      seen.add(body);
      // Others are answered, or the contact center would be taken for dead.
      return seen.size % 2 === 0 ? 'cut answer' : undefined;
    };
    const run = await world.run(await world.importOf('upsert', 'cut', gate.url));
    expect(seen.size).toBeGreaterThan(ROWS / 4);
    expect(run.code, run.stderr).toBe(whole.code);
    expect(countOutcomes(await run.report())).toEqual(countOutcomes(await whole.report()));
  });
});

const MODES = ['update', 'upsert'] as const;
const FIELDS = 'fields: { offerId: Offer, offerDomain: Site, fullName: Name, comment: Comment }';
const MAPPINGS = {
  update: `mode: update\nclient: { ${FIELDS} }\n`,
  upsert: `mode: upsert
client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  ${FIELDS}
  phones: [{ column: Phone, type: MOB }]
`,
};

describe('clients that are as their rows say', () => {
  const CLIENTS = 20;
  const { world, center, gate } = useWorld(MODES, CLIENTS);

  async function imported(mode: (typeof MODES)[number], comment: string): Promise<Run> {
    const base = baseOf(mode);
    const clients = Array.from({ length: CLIENTS }, (_, index) => index + 1);
    const lines = clients
      .filter((i) => !isDeleted(i))
      .map((i) => [base + i, DOMAIN, `Old ${base + i}`, phoneOf(base, i), comment]);
    const csv = [['Offer', 'Site', 'Name', 'Phone', 'Comment'], ...lines];
    await world.write(`${mode}.csv`, csv.map((cells) => `${cells.join(',')}\n`).join(''));
    await world.write(`${mode}.yaml`, MAPPINGS[mode]);
    const args = await world.importOf(mode, `${mode}-${comment}`, gate.url);
    return world.run([...args, '--again']);
  }

  const rows = Array.from({ length: CLIENTS }, (_, index) => index + 1).filter(
    (i) => !isDeleted(i),
  );

  /** One is on the blacklist, which its campaign refuses each time. */
  const all = (outcome: string, mode: (typeof MODES)[number]): Record<string, number> =>
    mode === 'update'
      ? { [outcome]: rows.length }
      : { [outcome]: rows.length - 1, enqueue_failed: 1 };

  it.each(MODES)('are unchanged in mode %s, and an undo leaves them', async (mode) => {
    const first = await imported(mode, 'same');
    expect(countOutcomes(await first.report())['updated']).toBeGreaterThan(0);
    const before = center.books();

    const counts: Record<string, number> = {};
    // The probe is left out.
    gate.onCarriedOut = ({ line }) => {
      const [name = ''] = line.split('?');
      if (!name.startsWith('GET')) counts[name] = (counts[name] ?? 0) + 1;
    };
    const second = await imported(mode, 'same');
    expect(countOutcomes(await second.report())).toEqual(all('unchanged', mode));
    const lookups = { 'POST /api/v1/clients/by/syncIds.json': rows.length };
    // The interface does not show a card's phones, so each is offered, and refused as there already.
    const phones = { 'POST /api/v1/clients/phones/exec.do': rows.length };
    expect(counts).toMatchObject(mode === 'update' ? lookups : { ...lookups, ...phones });
    expect(Object.keys(counts).filter((line) => line.startsWith('PUT'))).toEqual([]);

    const { run } = await second.summary();
    const undo = await world.run([
      ...['undo', run, '--yes', '--ledger', world.at(`${mode}-same.db`)],
      ...['--out', world.at(`${mode}-undo`), ...OPTIONS],
    ]);
    expect(undo.code, undo.stderr).toBe(0);
    expect(center.books()).toEqual(before);

    const third = await imported(mode, 'other');
    expect(countOutcomes(await third.report())).toEqual(all('updated', mode));
  });
});
