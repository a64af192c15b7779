import { beforeAll, describe, expect, it } from 'vitest';
import { printedJson, useSandbox } from './harness.js';

const bench = useSandbox();

const clientOf = (offerId: number, changes: Record<string, unknown> = {}) => ({
  clientRoleId: 1,
  type: 'SIMPLE',
  timeZone: 'Europe/Moscow',
  fields: { offerId, offerDomain: 'shop', fullName: 'Ann Lee' },
  phones: [{ phoneNumber: `7916000${offerId}`, type: 'MOB' }],
  ...changes,
});
const idOf = (offerId: number): string[] => [
  ...['--id', `offerId=${offerId}`],
  ...['--id', 'offerDomain=shop'],
];

/** Runs a command that has to end well; what it prints. */
async function done(...args: string[]): Promise<unknown> {
  const ended = await bench.run(args);
  expect({ code: ended.code, stderr: ended.stderr }, args.join(' ')).toEqual({
    code: 0,
    stderr: '',
  });
  return printedJson(ended);
}

const add = (...clients: unknown[]): Promise<unknown> =>
  done('clients', 'add', '--data', JSON.stringify(clients));
const enqueue = (offerId: number, campaign = '1'): Promise<unknown> =>
  done('applications', 'add', '--campaign', campaign, ...idOf(offerId), '--max-call-count', '3');
const card = async (offerId: number): Promise<unknown> => {
  const answer = await done('clients', 'get', ...idOf(offerId));
  return (answer as { clientFieldsToValues: unknown }).clientFieldsToValues;
};
const applications = (offerId: number): Promise<unknown> =>
  done('applications', 'list', ...idOf(offerId));

const callback = (offerId: number, ...changes: string[]): string[] => [
  ...['callbacks', 'create', '--campaign', '1', ...idOf(offerId), '--phone', '79160000001'],
  ...['--operator-id', '5', '--name', 'Call', '--description', 'Back', '--call-automatically'],
  ...['--call-at', '2099-12-01T10:00:00+03:00', ...changes],
];

const ASSIGNMENT = ['--priority', '1', '--mode', 'BY_ROUND', '--preview-timeout', '5'];

const CAMPAIGN = `name: Second
typeProcessing: OPERATOR
callingMode: PROGRESSIVE_NEW
callingSearchSpaceId: 1
callStatusRuleProcessorId: 1
`;

describe('clients and their contact data', () => {
  it('are added, read, changed and deleted', async () => {
    expect(await add(clientOf(101), clientOf(102, { uuid: 'mine' }))).toMatchObject({
      createResult: [{ result: 'Success' }, { uuid: 'mine', result: 'Success' }],
    });
    await done('clients', 'update', ...idOf(101), '--field', 'segment=warm', '--field', 'budget=7');
    expect(await card(101)).toMatchObject({ offerId: 101, segment: 'warm', budget: 7 });
    await done('clients', 'update', ...idOf(101), '--field', 'segment=');
    const { id } = (await card(101)) as { id: number };
    expect(await card(101)).toMatchObject({ segment: null });
    await done('clients', 'rekey', String(id), ...idOf(103), '--yes');
    expect(await card(103)).toMatchObject({ id });
    await done('clients', 'delete', ...idOf(103), '-y');
    const gone = await bench.run(['clients', 'get', ...idOf(103)]);
    expect(gone.code).toBe(2);
  });

  it('come back with --recovery', async () => {
    await add(clientOf(110));
    await done('clients', 'delete', ...idOf(110), '--yes');
    const again = ['clients', 'add', '--data', JSON.stringify(clientOf(110))];
    const refused = await bench.run(again);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is deleted');
    expect(await done(...again, '--recovery')).toMatchObject({
      createResult: [{ result: 'Success' }],
    });
  });

  it('get phones, e-mails and addresses, and their statuses', async () => {
    await add(clientOf(120));
    const kinds = [
      ['phones', '--phone-number', '79991112233', '--type', 'WORK'],
      ['emails', '--email-address', 'ann@example.com'],
      ['addresses', '--client-address', 'Elm street 1', '--type', 'HOME'],
    ] as const;
    for (const [group, option, value, ...type] of kinds) {
      expect(await done(group, 'add', ...idOf(120), option, value, ...type)).toMatchObject({
        done: true,
      });
      await done(group, 'set', ...idOf(120), option, value, '--no-active');
    }
    const [[, option, value]] = kinds;
    const twice = ['phones', 'add', ...idOf(120), option, value, '--type', 'MOB'];
    expect(await bench.run(twice)).toMatchObject({
      code: 2,
      stderr: 'Phone already exists on the client card\n',
    });
  });

  it('are read from a YAML file, a JSON file and standard input', async () => {
    const yaml = `fields: { offerId: 131, offerDomain: shop, fullName: Ann }
clientRoleId: 1
type: VIP
timeZone: Europe/Moscow
phones: [{ phoneNumber: "79160000131", type: MOB }]
`;
    await done('clients', 'add', '--data', await bench.write('client.yaml', yaml));
    expect(await card(131)).toMatchObject({ clientType: 'VIP' });
    const json = JSON.stringify({ clients: [clientOf(132)] });
    await done('clients', 'add', '--data', await bench.write('clients.json', json));
    const input = JSON.stringify(clientOf(133));
    const read = await bench.run(['clients', 'add', '--data', '-'], {
      input,
      env: { CARDLINE_TEST_TOKEN: 'x' },
    });
    expect(read.code, read.stderr).toBe(0);
    expect(await card(133)).toMatchObject({ offerId: 133 });
  });
});

describe('call applications and callbacks', () => {
  it('are added, listed, removed by identifiers and by filters', async () => {
    await add(clientOf(201), clientOf(202));
    expect(await enqueue(201)).toEqual({});
    await enqueue(202, 'Autumn leads');
    expect(await applications(201)).toMatchObject([
      { telemarketCampaignId: 1, maxCallCount: 3, status: 'NONE' },
    ]);
    expect(await done(...callback(201))).toMatchObject({ campaignId: 1, callAutomatically: true });
    const remove = ['applications', 'remove', '--campaign', '1', ...idOf(201), '--yes'];
    await done(...remove, '--no-cancel-callbacks');
    expect(await applications(201)).toEqual([]);
    const filter = ['applications', 'remove-by-filter', '--campaign', '1', '--yes', '--where'];
    await done(...filter, 'offerId = 202');
    expect(await applications(202)).toEqual([]);
  });

  it('are bounded by --limit', async () => {
    await add(clientOf(210));
    await enqueue(210);
    const second = await done(
      ...['campaigns', 'create', '--file'],
      await bench.write('second.yaml', CAMPAIGN),
    );
    const { campaignId } = second as { campaignId: number };
    await enqueue(210, String(campaignId));
    expect(await applications(210)).toHaveLength(2);
    expect(await done('applications', 'list', ...idOf(210), '--limit', '1')).toHaveLength(1);
  });
});

describe('what the contact center refuses ends with 2 and is told in its own words', () => {
  const NOBODY = 'No clients with identifiers: [offerId=999, offerDomain=shop]';
  const NO_CAMPAIGN = 'TelemarketCampaign 999 not found';
  beforeAll(async () => {
    await add(
      clientOf(301),
      clientOf(302),
      clientOf(303, { phones: [{ phoneNumber: '79990000666', type: 'MOB' }] }),
    );
    await enqueue(301);
  });
  const phone = ['--phone-number', '79160000000'];
  const email = ['--email-address', 'a@example.com'];
  const address = ['--client-address', 'Elm street 1'];
  const onCampaign = ['applications', 'add', '--max-call-count', '1', '--campaign'];
  const remove = ['applications', 'remove', '--cancel-callbacks', '--yes', '--campaign'];
  const without = (name: string) => {
    const client = clientOf(390);
    return JSON.stringify({ ...client, fields: { ...client.fields, [name]: '' } });
  };

  it.each([
    [['clients', 'get', ...idOf(999)], NOBODY],
    [['clients', 'update', ...idOf(999), '--field', 'segment=cold'], NOBODY],
    [
      ['clients', 'update', ...idOf(301), '--data', '{"fieldsToUpdate":{"fullName":""}}'],
      'Field [fullName] is required.',
    ],
    [['clients', 'delete', ...idOf(999), '--yes'], NOBODY],
    [['clients', 'rekey', '999', ...idOf(301), '--yes'], 'No clients with identifiers: [id=999]'],
    [['phones', 'add', ...idOf(999), ...phone, '--type', 'MOB'], NOBODY],
    [['phones', 'set', ...idOf(999), ...phone, '--active'], NOBODY],
    [['emails', 'add', ...idOf(999), ...email], NOBODY],
    [['emails', 'set', ...idOf(999), ...email, '--active'], NOBODY],
    [['addresses', 'add', ...idOf(999), ...address, '--type', 'WORK'], NOBODY],
    [['addresses', 'set', ...idOf(999), ...address, '--active'], NOBODY],
    [
      ['clients', 'add', '--data', without('offerDomain')],
      "Client doesn't have all syncronize identifier fields.",
    ],
    [['clients', 'add', '--data', without('fullName')], 'Field [fullName] is required.'],
    [[...onCampaign, '1', ...idOf(301)], 'Client already exists'],
    [[...onCampaign, '1', ...idOf(303)], 'Client is in blacklist'],
    [[...onCampaign, '1', ...idOf(999)], 'No such client'],
    [[...onCampaign, '999', ...idOf(301)], NO_CAMPAIGN],
    [['applications', 'list', ...idOf(999)], NOBODY],
    [[...remove, '1', ...idOf(999)], NOBODY],
    [[...remove, '999', ...idOf(301)], NO_CAMPAIGN],
    [[...remove, '1', ...idOf(302)], 'Client not found in campaign'],
    [
      ['applications', 'remove-by-filter', '--campaign', '999', '--where', 'offerId = 1', '--yes'],
      NO_CAMPAIGN,
    ],
    [['campaigns', 'delete', '999', '--yes'], NO_CAMPAIGN],
    [['campaigns', 'start', '999'], NO_CAMPAIGN],
    [['campaigns', 'stop', '999', '--yes'], NO_CAMPAIGN],
    [['campaigns', 'restart', '999', '--yes'], NO_CAMPAIGN],
    [['campaigns', 'task', '999'], NO_CAMPAIGN],
    [['groups', 'assign', '7', '--campaign', '999', ...ASSIGNMENT], NO_CAMPAIGN],
    [['groups', 'assign', '7', '--task-id', '999', ...ASSIGNMENT], NO_CAMPAIGN],
    [callback(301, '--call-at', '2020-01-01T10:00:00Z'), 'callAt must be in future'],
    [callback(302), 'Client not found in campaign'],
    [callback(301, '--campaign', '999'), 'Campaign not found'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await bench.run(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${message}\n` });
  });

  it('says of several clients which of them it was', async () => {
    const clients = [clientOf(310), { ...clientOf(311), uuid: 'u-2', fields: { offerId: 311 } }];
    const added = await bench.run(['clients', 'add', '--data', JSON.stringify(clients)]);
    expect({ code: added.code, stderr: added.stderr }).toEqual({
      code: 2,
      stderr: "client 2 (uuid u-2): Client doesn't have all syncronize identifier fields.\n",
    });
    expect(printedJson(added)).toMatchObject({ createResult: [{ result: 'Success' }, {}] });
    const data = JSON.stringify(
      [310, 301, 999].map((offerId) => ({
        clientIdentifiers: { offerId, offerDomain: 'shop' },
      })),
    );
    const enqueued = await bench.run([...onCampaign, '1', '--data', data, '--no-json']);
    expect(enqueued).toEqual({
      code: 2,
      stdout: '1 of 3 clients was added to the campaign.\n',
      stderr:
        'offerId=301, offerDomain=shop: Client already exists\nofferId=999, offerDomain=shop: No such client\n',
    });
    expect(await applications(310)).toHaveLength(1);
  });
});
