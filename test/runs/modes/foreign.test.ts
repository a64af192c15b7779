import { beforeEach, describe, expect, it } from 'vitest';
import { type Foreign, startForeignServer } from '../../kit/foreign-server.js';
import { installationOf } from './clients.js';
import { type Run, useWorld } from './world.js';
import { useOpened } from '../../kit/bench.js';

const ROWS = 40;

const FOREIGN: readonly (readonly [what: string, how: Foreign, words: RegExp])[] = [
  ['404 with nothing', { status: 404, body: '' }, /HTTP 404 and an empty body/],
  [
    '404 with a page',
    { status: 404, body: '<html><head><title>No such app</title></head><p>x</p></html>' },
    /HTTP 404 and "No such app"/,
  ],
  [
    '404 in plain text',
    { status: 404, body: 'page not found\u001b[31m' },
    /"page not found \[31m"/,
  ],
  [
    '404 in the form of the interface',
    { status: 404, body: '{"errorMessage":"There is no such path."}' },
    /HTTP 404 and "\{"errorMessage":"There is no such path/,
  ],
  ['405', { status: 405, body: '{"error":"Method Not Allowed"}' }, /HTTP 405 and "\{/],
  [
    'a login page',
    { status: 200, body: '<html><style>p{}</style><script>a<b</script><h1>Please log in</h1>' },
    /HTTP 200 and "Please log in"/,
  ],
  [
    'a redirect',
    {
      status: 302,
      body: '',
      headers: { location: 'https://me:pass@sso.example.com/login?token=1' },
    },
    /HTTP 302, a redirect to https:\/\/sso\.example\.com\/login\./,
  ],
];

const { world, center } = useWorld(['create', 'update', 'upsert'], ROWS);
const server = useOpened(() => startForeignServer(center.url), true);
beforeEach(() => {
  server.foreign = null;
  server.answered = 0;
});

let runs = 0;

function expectTold(run: Run, words: RegExp): void {
  expect(run.code, run.stderr).toBe(3);
  expect(run.stderr).toMatch(/This is no contact center, or not its address/);
  expect(run.stderr).toMatch(words);
  expect(run.stderr).toMatch(/Check baseUrl .*proxy.*login.*Nothing was sent/);
  expect(run.stderr).not.toMatch(/pass|token=/);
  expect(run.stderr).not.toContain('\u001b');
}

/** Stops at once where something else answers. */
async function stops(args: readonly string[], how: Foreign, words: RegExp): Promise<void> {
  server.foreign = how;
  expectTold(await world.run(args), words);
  expect(server.answered).toBe(1);
}

/** Comes to its end when the contact center answers. */
async function goesOn(args: readonly string[]): Promise<Run> {
  [server.foreign, server.answered] = [null, 0];
  const run = await world.run(args);
  expect([0, 2], run.stderr).toContain(run.code);
  expect(await run.summary()).toMatchObject({ state: 'finished' });
  return run;
}

describe('what is no contact center', () => {
  const campaign = () => world.importOf('upsert', 'campaign', server.url, ['--campaign', '1']);
  const without = () => world.importOf('update', 'update', server.url);

  it.each([
    ...FOREIGN.slice(0, 2).map((way) => [...way, 'into a campaign', campaign] as const),
    ...FOREIGN.slice(2).map((way) => [...way, 'without one', without] as const),
  ])('stops an import: %s', async (_what, how, words, _into, args) => {
    await stops(await args(), how, words);
  });

  it.each([campaign, without])('nothing of it is in the way of the import', async (args) => {
    await goesOn(await args());
  });

  it('stops an import that creates, which begins when the address has been corrected', async () => {
    const name = `create-${++runs}`;
    const wrong = await world.importOf('create', name, `${server.url}/wrong`);
    expectTold(await world.run(wrong), /HTTP 404/);
    expect(server.answered).toBe(1);
    await world.write(`${name}.center.yaml`, installationOf(server.url));
    server.answered = 0;
    const run = await world.run(wrong);
    expect(run.stderr).not.toMatch(/has changed/);
    expect((await run.summary()).outcomes['unknown']).toBe(0);
    expect((await run.summary()).state).toBe('finished');
    const id = (await run.summary()).run;
    const [how = { status: 404, body: '' }] = FOREIGN.map(([, foreign]) => foreign);
    const places = ['--ledger', world.at(`${name}.db`)];
    const check = ['reconcile', '--run', id, ...places, '--out', world.at(`${name}-check`)];
    await stops(check, how, /HTTP 404/);
    await goesOn(check);
    const undo = ['undo', id, '--yes', ...places, '--out', world.at(`${name}-undo`)];
    await stops(undo, how, /HTTP 404/);
    const undone = await goesOn(undo);
    expect((await undone.summary()).outcomes['undone']).toBeGreaterThan(0);
  });

  it('a contact center that forbids to list campaigns is one all the same', async () => {
    const args = await world.importOf('update', `forbidden-${++runs}`, server.url);
    server.foreign = { status: 403, body: '' };
    const passing = setInterval(() => {
      if (server.answered > 0) server.foreign = null;
    }, 1);
    const run = await world.run(args);
    clearInterval(passing);
    expect([0, 2], run.stderr).toContain(run.code);
    expect((await run.summary()).state).toBe('finished');
  });
});
