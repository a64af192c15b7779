import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { cardlineProcess, startCardline } from '../kit/cardline.js';
import { startContactCenter } from '../kit/contact-center.js';
import { words } from '../kit/words.js';
import { centerAt, leadsFrom, MAPPING, useFolder } from './folder.js';
import { useOpened } from '../kit/bench.js';

const HEADERS = 'headers: { Authorization: "Bearer ${CC_TOKEN_OF_THE_TEST}" }\n';
const { at, read, write, run, json } = useFolder({
  'good.csv': leadsFrom(1, 2),
  'mixed.csv': `${leadsFrom(3, 3)}four,79160000004\n`,
  'broken.csv': `${leadsFrom(5, 5)}6,"79`,
  'secret.yaml': centerAt('http://127.0.0.1:9', HEADERS),
});

let imports = 0;
/** An import with a ledger and a folder of its own. */
const into = (name = `run-${++imports}`): string[] =>
  words`-m mapping.yaml -i center.yaml --ledger ${at(name)}.db --out ${at(name)}`;
const last = (file: string): string => at(`run-${imports}`, file);

describe('importing into the embedded sandbox', () => {
  it('ends with 0 when every row ended well', async () => {
    const { code, stdout, stderr } = await run`import good.csv ${into()} --sandbox`;
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^good\.csv: CSV, utf-8, delimiter ","\n/);
    expect(stdout).toMatch(/^rows +2$/m);
    expect(stdout).toMatch(/^ +created +2/m);
    expect(stdout).toContain(`report   ${last('report.csv')}`);
    expect(existsSync(at(`run-${imports}.sandbox.db`))).toBe(true);
  });

  it('has a database of its own for clients who are identified otherwise', async () => {
    await write('other.yaml', centerAt().replace('offerId', '"lead id"'));
    await write('other-mapping.yaml', MAPPING.replace('offerId', '"lead id"'));
    const two = words`--sandbox --ledger two.db -q`;
    expect((await run`import good.csv -m mapping.yaml -i center.yaml ${two}`).code).toBe(0);
    const other = await run`import good.csv -m other-mapping.yaml -i other.yaml ${two}`;
    expect(other.code, other.stderr).toBe(0);
    expect(existsSync(at('two.sandbox-lead_id.db'))).toBe(true);
  });

  it('ends with 2 when a row did not, and says where the rejects are', async () => {
    const { code, stdout } = await run`import mixed.csv ${into()} --sandbox`;
    expect(code).toBe(2);
    expect(stdout).toContain(`rejects  ${last('rejects.csv')}`);
  });

  it('prints the summary as JSON for scripts, and nothing else', async () => {
    const args = words`import - ${into()} --sandbox --json --quiet`;
    const input = await read('mixed.csv');
    const { code, stdout, stderr } = await cardlineProcess(args, { cwd: at(), input });
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ rows: 2, outcomes: { created: 1, rejected: 1 }, inputs: ['standard input'] },
      ...{ report: last('report.csv'), rejects: [last('rejects.csv')] },
    });
  });

  it('creates a missing campaign once, and tells its id', async () => {
    const args = words`import good.csv ${into()} --sandbox --max-call-count 2 --campaign`;
    const first = await run`${args} 42`;
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^ +enqueued +2/m);
    const told = 'There is no campaign 42 here. Campaign 1 "Campaign 42"';
    expect(first.stderr).toContain(`${told} was created`);
    const again = await run`${args} 42 --again`;
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(`${told} is used.`);
    const byName = await run`${args} 'Campaign 42' --again --json`;
    expect(byName.stderr).not.toContain('campaign');
    expect(JSON.parse(byName.stdout)).toMatchObject({ campaignId: 1 });
  });
});

it.each([
  ['broken.csv', 'center.yaml', 'broken.csv, line 3: '],
  ['good.csv', 'secret.yaml', 'CC_TOKEN_OF_THE_TEST'],
])('%s into %s ends with 64, and nothing is sent', async (file, center, told) => {
  const { code, stdout, stderr } = await run`import ${file} ${into()} -i ${center}`;
  expect(code).toBe(64);
  expect(stderr).toContain(told);
  expect(stdout).not.toContain('created');
});

describe('with a contact center', () => {
  const ROWS = 100;
  const center = useOpened(
    () => startContactCenter({ card: { offerId: 'sync' }, duplicates: 'accepted' }),
    true,
  );
  const sent = (): number =>
    [...center.creations.values()].reduce((sum, creations) => sum + creations, 0);
  let ledger: string[];
  beforeEach(async () => {
    center.forget();
    center.behave = () => undefined;
    ledger = words`--ledger run-${++imports}.db`;
    await write('leads.csv', leadsFrom(1, ROWS));
    await write('mapping.yaml', MAPPING);
    await write('there.yaml', centerAt(center.url));
  });
  const importing = (...more: readonly string[]) =>
    run`import leads.csv -m mapping.yaml -i there.yaml ${ledger} --batch-size 10 -q ${more}`;
  const busy = (): void => {
    const answer = { status: 503, body: '', headers: { 'retry-after': '0' } };
    center.behave = () => ({ untouched: true, answer });
  };
  const listed = () =>
    json<{ run: string; state: string; rows: number; out: string }[]>`runs --json ${ledger}`;

  it('a run that gave up is listed, is resumed without its command, and is then not repeated', async () => {
    busy();
    const gaveUp = await importing('--give-up-after', '1s');
    expect(gaveUp.code).toBe(3);
    // The last request may have had a moment only.
    expect(gaveUp.stderr).toMatch(/stayed busy|no whole answer within/);
    const [stopped] = await listed();
    expect(stopped).toMatchObject({ state: 'stopped', rows: 0 });

    center.behave = () => undefined;
    const resumed = await run`resume --quiet ${ledger}`;
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain(stopped!.run);
    expect(sent()).toBe(ROWS);
    expect(await listed()).toMatchObject([{ run: stopped!.run, state: 'finished', rows: ROWS }]);
    const shown = await run`runs show ${stopped!.run} ${ledger}`;
    expect(shown.stdout).toMatch(/outcomes +created 100/);

    const repeated = await importing();
    expect(repeated.code).toBe(0);
    expect(repeated.stderr).toContain('--again');
    expect(repeated.stdout).toContain(`${stopped!.out}/report.csv`);
    expect((await run`resume ${ledger}`).code).toBe(64);
    expect(sent()).toBe(ROWS);
    expect((await importing('--again')).code).toBe(0);
    expect(sent()).toBe(2 * ROWS);

    expect((await run`runs prune --older-than 30d ${ledger}`).stdout).toMatch(/^0 runs/);
    expect((await run`runs prune --older-than 0s ${ledger}`).stdout).toMatch(/^2 runs/);
    expect(await listed()).toEqual([]);
    expect((await read('runs', stopped!.run, 'report.csv')).split('\n')).toHaveLength(ROWS + 2);
  });

  it('a run is not continued when what it is made of has changed, and says what', async () => {
    const zones = Array.from({ length: ROWS }, (_, at) => `${at + 1},UTC\n`).join('');
    const lookUp =
      '{ column: Id, transform: [{ lookup: { file: zones.csv, key: id, value: zone } }] }';
    const mapping = MAPPING.replace('{ value: Europe/Moscow }', lookUp);
    await write('zones.csv', `id,zone\n${zones}`);
    await write('mapping.yaml', mapping);
    center.behave = ({ operation, number }) =>
      operation === '4.1' && number % 10 > 2 ? { refuse: () => 'No.' } : undefined;
    const limits = words`--max-failures 10% --concurrency 1`;
    expect((await importing(...limits)).code).toBe(3);
    const before = center.requests.length;
    await write('leads.csv', leadsFrom(1, ROWS - 1));
    await write('mapping.yaml', `${mapping}duplicates: { by: none }\n`);
    await write('zones.csv', `id,zone\n${zones}other,UTC\n`);
    const card = 'sync: true }, note: { type: TextField }';
    const installed = centerAt(center.url, 'clientRoles: [1]\n').replace('sync: true }', card);
    await write('there.yaml', installed);
    const resumed = await run`resume ${ledger}`;
    const parts =
      "a lookup file of the mapping and the installation's card and the installation's client";
    expect(resumed.stderr).toMatch(
      new RegExp(`the input and the mapping .* and ${parts} roles have changed`),
    );
    const other = await importing(...limits, '--encoding', 'utf-8');
    expect(other.stderr).toMatch(/--sheet, --encoding or --delimiter and .* have changed/);
    expect(center.requests.length).toBe(before);
  });

  it('a run begins anew, whatever has changed, when it could send nothing', async () => {
    busy();
    await importing('--give-up-after', '1s');
    center.behave = () => undefined;
    await write('leads.csv', leadsFrom(1, ROWS - 1));
    const changed = await importing();
    expect(changed.code, changed.stderr).toBe(0);
    expect(await listed()).toMatchObject([{ state: 'finished', rows: ROWS - 1 }]);
  });

  it.each([
    ['lets the request in flight end', 1],
    ['is given again, and ends at once', 2],
  ])('a signal %s: 3', async (_, signals) => {
    let reach = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    center.behave = ({ operation }) => {
      if (operation !== '4.1') return undefined;
      reach();
      return signals === 1 ? { delay: 200 } : { silent: true };
    };
    const args = words`import leads.csv -m mapping.yaml -i there.yaml ${ledger} --json`;
    const { child, ended } = startCardline(words`${args} --batch-size 1 --concurrency 1`, {
      cwd: at(),
    });
    await reached;
    child.kill(signals === 1 ? 'SIGTERM' : 'SIGINT');
    const again = setInterval(() => signals > 1 && child.kill('SIGINT'), 100);
    const { code, stdout } = await ended;
    clearInterval(again);
    expect(code).toBe(3);
    if (signals > 1) expect(stdout).toBe('');
    else expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped', outcomes: { created: 1 } });
  });
});

it.each([
  ['runs show nope', /has no run nope/],
  ['runs prune', /--older-than/],
  ['runs prune --older-than soon', /takes a time such as/],
  ['runs --ledger none.db', /no ledger here/],
  ['resume --ledger none.db', /no ledger here/],
  ['import good.csv -m mapping.yaml -i center.yaml --max-failures many', /takes a number of rows/],
  ['import good.csv -m mapping.yaml -i center.yaml --max-failures 200%', /takes a number of rows/],
  ['import good.csv -m mapping.yaml -i center.yaml --give-up-after 5', /takes a time such as/],
  ['import good.csv -m mapping.yaml -i center.yaml --canary -1', /takes a whole number/],
])('%j is told kindly', async (line, told) => {
  await run`ledger init --ledger cardline.db`;
  const { code, stderr } = await run({ raw: [line] });
  expect(code).toBe(64);
  expect(stderr).toMatch(told);
});
