import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { cardline, type Ended, type Invocation } from '../../kit/cardline.js';
import { startSandbox, type Sandbox } from '../../kit/sandbox.js';
import { words } from '../../kit/words.js';
import { runAt } from '../terminal.js';
import { startRecorder, type Recorder } from './recorder.js';

/** A credential that must be seen nowhere but in a header. */
export const TOKEN = 'tok-81c5-very-secret';
const env = { CARDLINE_TEST_TOKEN: TOKEN };

/** Two identifiers of different types, a list, a number, a mandatory field. */
export const installation = (baseUrl: string, more = ''): string => `name: test
baseUrl: ${baseUrl}
headers: { Authorization: "Bearer \${CARDLINE_TEST_TOKEN}" }
card:
  offerId: { type: Number, sync: true }
  offerDomain: { type: TextField, sync: true }
  fullName: { type: TextField, required: true }
  segment: { type: ComboBox, values: [cold, warm] }
  budget: { type: Number }
sandbox: { blacklist: ['79990000666'] }
${more}`;

/** What says which client is meant. */
export const idOf = (offerId: number): string[] =>
  words`--id offerId=${offerId} --id offerDomain=shop`;
export const IDS = idOf(7);

export const clientOf = (offerId: number, changes: object = {}) => ({
  ...{ clientRoleId: 1, type: 'SIMPLE', timeZone: 'Europe/Moscow' },
  fields: { offerId, offerDomain: 'shop', fullName: 'Ann Lee' },
  phones: [{ phoneNumber: `7916000${offerId}`, type: 'MOB' }],
  ...changes,
});

/** A campaign file in YAML, and the body that it makes. */
export const CAMPAIGN_FILE = `name: Winter
typeProcessing: OPERATOR
callingMode: PREDICTIVE_NEW
callingSearchSpaceId: 7
callStatusRuleProcessorId: 8
automaticStart: true
startDate: 2099-12-01
startTime: 09:00
weekDays: [Mon, Tue]
`;
export const CAMPAIGN = {
  ...{ name: 'Winter', typeProcessing: 'OPERATOR', callingMode: 'PREDICTIVE_NEW' },
  ...{ callingSearchSpaceId: 7, callStatusRuleProcessorId: 8, automaticStart: true },
  ...{ startDate: '2099-12-01', startTime: '09:00', weekDays: 'Mon,Tue' },
};

/** A folder, a contact center, and commands that talk to it. */
export interface Bench<C> {
  readonly center: C;
  at(name: string): string;
  write(name: string, content: string): Promise<string>;
  /** Arguments with the installation among them. */
  args(args: readonly string[]): string[];
  run(...line: Parameters<typeof words>): Promise<Ended>;
  runWith(args: readonly string[], invocation: Invocation): Promise<Ended>;
}

function useBench<C extends { readonly url: string; close(): Promise<void> }>(
  start: (folder: string, file: string) => Promise<C>,
): Bench<C> {
  let folder: string;
  let center: C;
  const at = (name: string): string => join(folder, name);
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(at(name), content);
    return at(name);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-operations-'));
    center = await start(folder, await write('sandbox.yaml', installation('http://127.0.0.1:9')));
    await write('center.yaml', installation(center.url));
    await write('campaign.yaml', CAMPAIGN_FILE);
  });
  afterAll(async () => {
    await center.close();
    await rm(folder, { recursive: true });
  });
  const args = ([group = '', action = '', ...rest]: readonly string[]): string[] => [
    group,
    action,
    ...(rest.includes('-i') ? [] : ['-i', at('center.yaml')]),
    ...rest,
  ];
  const runWith = (given: readonly string[], invocation: Invocation): Promise<Ended> =>
    cardline(args(given), { cwd: folder, env, ...invocation });
  return {
    get center() {
      return center;
    },
    ...{ at, write, args, runWith, run: (...line) => runWith(words(...line), {}) },
  };
}

/** With a sandbox, in which there is a campaign "Autumn leads" with the id 1. */
export const useSandbox = (): Bench<Sandbox> =>
  useBench((folder, file) => startSandbox(file, join(folder, 'center.db')));

/** With a contact center that takes everything and keeps what it was asked. */
export const useRecorder = (): Bench<Recorder> => useBench(() => startRecorder());

/** What was printed, as JSON. */
export const printedJson = ({ stdout }: Ended): unknown => JSON.parse(stdout);

/** Runs the command line as a function, of which nothing but its streams is seen: for the many ways to misuse it. */
export const inProcess = (argv: readonly string[]): Promise<Ended> => runAt(argv, { env });
