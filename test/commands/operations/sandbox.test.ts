import { beforeAll, describe, expect, it } from 'vitest';
import { words } from '../../kit/words.js';
import { clientOf, idOf, printedJson, useSandbox } from './harness.js';

const bench = useSandbox();

/** Runs a command that has to end well; what it prints. */
async function done(...line: Parameters<typeof words>): Promise<unknown> {
  const ended = await bench.run(...line);
  const { code, stderr } = ended;
  expect({ code, stderr }, words(...line).join(' ')).toEqual({ code: 0, stderr: '' });
  return printedJson(ended);
}

const SUCCESS = { createResult: [{ result: 'Success' }] };
const json = (...values: unknown[]): string => JSON.stringify(values);
const add = (...ids: number[]) =>
  done`clients add --data ${json(...ids.map((id) => clientOf(id)))}`;
const enqueue = (offerId: number, campaign = '1') =>
  done`applications add --campaign ${campaign} ${idOf(offerId)} --max-call-count 3`;
const applications = (offerId: number) => done`applications list ${idOf(offerId)}`;
async function card(offerId: number): Promise<unknown> {
  const answer = await done`clients get ${idOf(offerId)}`;
  return (answer as { clientFieldsToValues: unknown }).clientFieldsToValues;
}
const callback = (offerId: number): string[] =>
  words`callbacks create --campaign 1 ${idOf(offerId)} --phone 79160000001 --operator-id 5 --name Call
    --description Back --call-automatically --call-at 2099-12-01T10:00:00+03:00`;

describe('clients and their contact data', () => {
  it('are added, read, changed, deleted, and come back with --recovery', async () => {
    const mine = clientOf(102, { uuid: 'mine' });
    expect(await done`clients add --data ${json(clientOf(101), mine)}`).toMatchObject({
      createResult: [{ result: 'Success' }, { uuid: 'mine', result: 'Success' }],
    });
    await done`clients update ${idOf(101)} --field segment=warm --field budget=7`;
    expect(await card(101)).toMatchObject({ offerId: 101, segment: 'warm', budget: 7 });
    await done`clients update ${idOf(101)} --field segment=`;
    const { id } = (await card(101)) as { id: number };
    expect(await card(101)).toMatchObject({ segment: null });
    await done`clients rekey ${id} ${idOf(103)} --yes`;
    expect(await card(103)).toMatchObject({ id });
    await done`clients delete ${idOf(103)} -y`;
    expect((await bench.run`clients get ${idOf(103)}`).code).toBe(2);
    const again = words`clients add --data ${json(clientOf(103))}`;
    const refused = await bench.runWith(again, {});
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is deleted');
    expect(await done`${again} --recovery`).toMatchObject(SUCCESS);
  });

  it('get phones, e-mails and addresses, and their statuses', async () => {
    await add(120);
    for (const [group, contact, type] of [
      ['phones', ['--phone-number', '79991112233'], ['--type', 'WORK']],
      ['emails', ['--email-address', 'ann@example.com'], []],
      ['addresses', ['--client-address', 'Elm street 1'], ['--type', 'HOME']],
    ] as const) {
      const added = await done`${group} add ${idOf(120)} ${contact} ${type}`;
      expect(added).toMatchObject({ done: true });
      await done`${group} set ${idOf(120)} ${contact} --no-active`;
    }
  });

  it('are read from a YAML file, a JSON file and standard input', async () => {
    const yaml = `fields: { offerId: 131, offerDomain: shop, fullName: Ann }
clientRoleId: 1
type: VIP
timeZone: Europe/Moscow
phones: [{ phoneNumber: "79160000131", type: MOB }]
`;
    await done`clients add --data ${await bench.write('client.yaml', yaml)}`;
    expect(await card(131)).toMatchObject({ clientType: 'VIP' });
    const clients = JSON.stringify({ clients: [clientOf(132)] });
    await done`clients add --data ${await bench.write('clients.json', clients)}`;
    const input = JSON.stringify(clientOf(133));
    const env = { CARDLINE_TEST_TOKEN: 'x' };
    const read = await bench.runWith(words`clients add --data -`, { input, env });
    expect(read.code, read.stderr).toBe(0);
    for (const id of [132, 133]) expect(await card(id)).toMatchObject({ offerId: id });
  });
});

it('call applications and callbacks are added, listed, removed by identifiers and by filters', async () => {
  await add(201, 202);
  expect(await enqueue(201)).toEqual({});
  await enqueue(202, 'Autumn leads');
  expect(await applications(201)).toMatchObject([
    { telemarketCampaignId: 1, maxCallCount: 3, status: 'NONE' },
  ]);
  expect(await done`${callback(201)}`).toMatchObject({ campaignId: 1, callAutomatically: true });
  const second = await done`campaigns create --file campaign.yaml`;
  await enqueue(201, String((second as { campaignId: number }).campaignId));
  expect(await applications(201)).toHaveLength(2);
  expect(await done`applications list ${idOf(201)} --limit 1`).toHaveLength(1);
  await done`applications remove --campaign 1 ${idOf(201)} --yes --no-cancel-callbacks`;
  expect(await applications(201)).toHaveLength(1);
  await done`applications remove-by-filter --campaign 1 --yes --where 'offerId = 202'`;
  expect(await applications(202)).toEqual([]);
});

/** Each form of a refusal once; test/conformance has those of every operation. */
describe('what the contact center refuses ends with 2 and is told in its own words', () => {
  const NOBODY = 'No clients with identifiers: [offerId=999, offerDomain=shop]';
  const NO_CAMPAIGN = 'TelemarketCampaign 999 not found';
  const enqueueing = words`applications add --max-call-count 1 --campaign`;
  beforeAll(async () => {
    await add(301, 302);
    await enqueue(301);
  });

  it.each([
    [words`clients get ${idOf(999)}`, NOBODY],
    [words`clients delete ${idOf(999)} --yes`, NOBODY],
    [
      words`clients update ${idOf(301)} --data '{"fieldsToUpdate":{"fullName":""}}'`,
      'Field [fullName] is required.',
    ],
    [
      words`clients add --data ${json(clientOf(390, { fields: { offerId: 390 } }))}`,
      "Client doesn't have all syncronize identifier fields.",
    ],
    [[...enqueueing, '1', ...idOf(301)], 'Client already exists'],
    [[...enqueueing, '999', ...idOf(301)], NO_CAMPAIGN],
    [words`campaigns start 999`, NO_CAMPAIGN],
    [
      words`groups assign 7 --task-id 999 --priority 1 --mode BY_ROUND --preview-timeout 5`,
      NO_CAMPAIGN,
    ],
    [callback(302), 'Client not found in campaign'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await bench.runWith(args, {});
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${message}\n` });
  });

  it('says of several clients which of them it was', async () => {
    const bad = { ...clientOf(311), uuid: 'u-2', fields: { offerId: 311 } };
    const added = await bench.run`clients add --data ${json(clientOf(310), bad)}`;
    expect({ code: added.code, stderr: added.stderr }).toEqual({
      code: 2,
      stderr: "client 2 (uuid u-2): Client doesn't have all syncronize identifier fields.\n",
    });
    expect(printedJson(added)).toMatchObject({ createResult: [{ result: 'Success' }, {}] });
    const three = [310, 301, 999].map((offerId) => ({
      clientIdentifiers: { offerId, offerDomain: 'shop' },
    }));
    expect(await bench.run`${enqueueing} 1 --data ${json(...three)} --no-json`).toEqual({
      code: 2,
      stdout: '1 of 3 clients was added to the campaign.\n',
      stderr:
        'offerId=301, offerDomain=shop: Client already exists\nofferId=999, offerDomain=shop: No such client\n',
    });
    expect(await applications(310)).toHaveLength(1);
  });
});
