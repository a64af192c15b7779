import { mkdir, readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NOTICE_KINDS } from '../../src/nightly/notices/notice.js';
import { lead, leads, TOKEN } from '../kit/bench.js';
import { type MailServer, openMailServer } from '../kit/mail-server.js';
import { type Arrivals, openArrivals } from './harness.js';

/** What must be found nowhere: in a header, a signature's key, a path and two parts of an address. */
const SECRETS = {
  token: TOKEN,
  key: 'whsec-seeded-5f2c',
  path: 'T0K3N',
  password: 'smtp-Seeded-77ab',
} as const;
const USER = 'mailer@example.com';
/** What stands in the list, in other alphabets too, so that mails have to encode it. */
const PEOPLE = /Seededname|Засеянова|9161234567|Testoff|7916100/;
/** The list itself, the report and the rejects are of people; so is the ledger, by whose facts they are written. */
const OF_PEOPLE = /leads-\d\.csv|report\.csv|rejects|cardline\.db|report\.html/;

interface Written {
  readonly name: string;
  readonly text: string;
}

let arrivals: Arrivals;
let mail: MailServer;
beforeEach(async () => {
  arrivals = await openArrivals();
  mail = await openMailServer({ login: { user: USER, password: SECRETS.password } });
});
afterEach(async () => {
  await mail.close();
  await arrivals.close();
});

const smtp = (password: string): string =>
  `smtp://${encodeURIComponent(USER)}:${password}@127.0.0.1:${mail.port}`;

/** Everybody who can be told, of everything, and figures. */
async function writePickup(password: string): Promise<void> {
  const url = `${arrivals.hooks.address}/${SECRETS.path}`;
  const on = `on: [${NOTICE_KINDS.join(', ')}]`;
  const bodiesOf = ['notice', 'slack', 'teams', 'telegram, chat: "1"'];
  const targets = [
    ...bodiesOf.map(
      (body) => `{ to: webhook, url: '${url}', secret: ${SECRETS.key}, body: ${body}, ${on} }`,
    ),
    `{ to: email, smtp: '${smtp(password)}', recipients: [ops@example.com], ${on} }`,
  ];
  await arrivals.pickup(
    undefined,
    `notify: [${targets.join(', ')}]\nmetrics: { file: out/cardline.prom }`,
  );
  await mkdir(arrivals.at('out'), { recursive: true });
}

/** All files in the folder of the test, but those that a person has written. */
async function writtenFiles(): Promise<Written[]> {
  const root = arrivals.at('.');
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((entry) => entry.isFile() && !/^(pickup|center|mapping)\.yaml$/.test(entry.name))
      .map(async ({ parentPath, name }) => ({
        name: `${parentPath}/${name}`.slice(root.length),
        text: (await readFile(`${parentPath}/${name}`)).toString(),
      })),
  );
}

/** Where a pattern is found, of all that a run has written and sent. */
async function placesOf(pattern: RegExp, printed: readonly string[]): Promise<string[]> {
  const all = [
    ...(await writtenFiles()),
    ...printed.map((text) => ({ name: 'terminal', text })),
    ...arrivals.hooks.received.map(({ body }) => ({ name: 'webhook', text: body })),
    ...mail.mails.map((text) => ({ name: 'mail', text })),
    ...mail.decoded().map((text) => ({ name: 'mail, decoded', text })),
  ];
  return all.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
}

/** A secret may also be written as a login has it. */
const encoded = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
const anySecret = new RegExp(
  Object.values(SECRETS)
    .flatMap((secret) => [secret, encoded(secret)])
    .join('|'),
);

it('no secret is in what a watcher writes and sends, and people are in reports and ledger alone', async () => {
  await writePickup(SECRETS.password);
  const person = { First: 'Seededname Засеянова', Mobile: 'no phone 9161234567' };
  await arrivals.arrive('leads-1.csv', [...leads(3), lead(8, person)]);
  await arrivals.arrive('leads-2.csv', [lead(9, { First: 'Засеянова' })]);
  // It repeats the client whom it refuses.
  arrivals.center.behave = ({ operation }) =>
    operation === '4.1'
      ? { refuse: (client) => `Client ${JSON.stringify(client)} exists` }
      : undefined;
  const { stderr, stdout } = await arrivals.watch();
  // The search finds what it is to find: the list has the people, and the mails have the reasons.
  expect(await placesOf(PEOPLE, [stderr, stdout])).toContain('/in/failed/leads-1.csv');
  expect(mail.decoded()).toHaveLength(2);
  for (const text of mail.decoded()) {
    expect(text).toContain('refused by the contact center; the report has its words.');
    expect(text).toMatch(/^Content-Type: text\/html/m);
  }
  expect(mail.mails[0]).toMatch(/^Subject: cardline: .*leads-1\.csv/m);
  expect(arrivals.hooks.received).toHaveLength(8);
  for (const name of ['cardline.prom', 'run.log', 'pickup.state.db'])
    expect(await writtenFiles()).toContainEqual({
      name: expect.stringContaining(name) as string,
      text: expect.anything() as string,
    });
  expect(await placesOf(anySecret, [stderr, stdout])).toEqual([]);
  const people = await placesOf(PEOPLE, [stderr, stdout]);
  expect(people.filter((name) => !OF_PEOPLE.test(name))).toEqual([]);
});

it('a login that is refused shows no password, whatever the mail server says', async () => {
  const wrong = 'smtp-Wrong-Seeded-31';
  await writePickup(wrong);
  await arrivals.arrive('leads-1.csv', leads(2));
  const { stderr, stdout } = await arrivals.watch();
  expect(stderr).toMatch(/ops@example\.com was not taken \(.*user or the password.* EAUTH 535/);
  expect(mail.mails).toEqual([]);
  const pattern = new RegExp(`${wrong}|${encoded(wrong)}|${anySecret.source}`);
  expect(await placesOf(pattern, [stderr, stdout])).toEqual([]);
});
