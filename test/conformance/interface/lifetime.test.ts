import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Center, expectOk, expectRefusal, startCenter, twoIdentifiers } from './center.js';
import {
  applicationsOf,
  callback,
  cardOf,
  create,
  enqueued,
  listed,
  made,
  madeCampaign,
  newIdentifiers,
  paths,
  payload,
} from './made.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-lifetime-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Everything that a center holds of one client, as its operations tell it. */
async function filled(center: Center) {
  const client = newIdentifiers();
  const deleted = newIdentifiers();
  await made(center, client, { fields: { note: 'kept' } });
  const deletedId = await made(center, deleted);
  expectOk(await center.send('DELETE', paths.clients, { syncIdentifiers: deleted }));
  const { id } = await madeCampaign(center, { weekDays: 'Mon,Fri' });
  await enqueued(center, id, [client]);
  expectOk(await center.send('POST', paths.callbacks, callback(id, client)));
  const facts = async (now: Center) => ({
    card: await cardOf(now, client),
    applications: await applicationsOf(now, client),
    campaigns: await listed(now),
    task: (await now.send('GET', paths.taskId(id))).body,
  });
  return { client, deleted, deletedId, facts };
}

describe.each(['SIGTERM', 'SIGKILL'] as const)('after %s', (signal) => {
  it('everything answered is there again', async () => {
    const before = await startCenter(folder, twoIdentifiers);
    const { deleted, deletedId, client, facts } = await filled(before);
    const told = await facts(before);
    expect(told.applications).toMatchObject([{ hasRecall: true }]);
    await before.end(signal);

    const after = await startCenter(folder, twoIdentifiers);
    expect(await facts(after)).toEqual(told);
    const body = { clientSyncIdentifiers: deleted };
    expectRefusal(await after.send('POST', paths.lookup, body));
    const [back] = await create(after, [payload(deleted)], { recovery: true });
    expect(back).toMatchObject({ result: 'Success', createdClientId: deletedId });
    const [again] = await create(after, [payload(client)]);
    expect(again?.result).not.toBe('Success');
    await after.end('SIGTERM');
  });
});

describe('ends cleanly', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('with code 0 on %s', async (signal) => {
    const center = await startCenter(folder, twoIdentifiers);
    await listed(center);
    const { code, stderr } = await center.end(signal);
    expect(code).toBe(0);
    expect(stderr).toBe('');
  });

  it('and finishes the requests it has begun', async () => {
    const center = await startCenter(folder, twoIdentifiers);
    const clients = Array.from({ length: 300 }, () => payload(newIdentifiers()));
    const answer = center.send('POST', paths.clients, { clients });
    const settled = answer.then(
      ({ status }) => status,
      () => 'refused' as const,
    );
    const { code } = await center.end('SIGTERM');
    expect(code).toBe(0);
    expect([201, 503, 'refused']).toContain(await settled);
  });
});
