import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openGpg, WITHOUT_GPG } from '../kit/gpg.js';
import { openS3Server } from '../kit/s3-server.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { openSshServer, WITHOUT_SSHD } from '../kit/sshd.js';
import { zip } from '../kit/zip.js';
import { openRig, type Rig } from './rig.js';

const NEVER = new AbortController().signal;
/** Room on the disk, what the list takes, and room in which it has place. */
const [SMALL, BYTES, LARGE] = [2 ** 20, 3 * 2 ** 20, 2 ** 24];
/** It does not shrink when it is packed, as lists do, so that no rule for bombs holds. */
const LIST = randomBytes(BYTES / 2).toString('hex');

const WITHOUT_DISKS = canMount
  ? ''
  : ' (skipped: file systems of a few bytes can be mounted by root of Linux only)';

describe.skipIf(!canMount)(`a disk that is full${WITHOUT_DISKS}`, () => {
  let rig: Rig;
  const disk = (): string => join(rig.folder, 'work');
  const open = async (more = {}, env = {}): Promise<void> => {
    rig = await openRig(more, env);
    await mountDisk(disk(), SMALL);
  };
  afterEach(async () => {
    await unmountDisk(disk());
    await rig.remove();
  });

  const once = async (): Promise<number> => (await rig.watcher()).once(NEVER);
  const texts = (): string[] => [...rig.imported.values()].map(({ text }) => text);

  /** The file waits with a sentence, and is imported once and as a whole when there is room. */
  async function expectRecovery(words: RegExp): Promise<void> {
    const said = await once().then(
      (code) => ({ code, words: rig.notes.at(-1) }),
      (error: unknown) => ({ code: 3, words: String(error) }),
    );
    expect(said).toEqual({ code: 3, words: expect.stringMatching(words) as unknown });
    expect(said.words).not.toContain('ENOSPC');
    expect(rig.imported.size).toBe(0);
    // Whatever else is on that disk has room again.
    expect(await readdir(disk())).toEqual([]);
    await resizeDisk(disk(), LARGE);
    expect(await once()).toBe(0);
    expect(texts()).toEqual([LIST]);
    expect((await rig.notices()).map(({ kind }) => kind).sort()).toEqual([
      ...['finished', 'recovered', 'stopped'],
    ]);
    expect(await readdir(disk())).toEqual([]);
  }

  it('leaves an archive where it is until there is room to unpack it', async () => {
    await open();
    await writeFile(join(rig.in, 'leads-1.zip'), zip([{ name: 'a.csv', data: LIST }]));
    await expectRecovery(/^The import of leads-1\.zip does not go on: .*disk is full\. Free some/);
  });

  it.skipIf(WITHOUT_GPG !== '')(
    `leaves an encrypted file where it is until there is room for its text${WITHOUT_GPG}`,
    async () => {
      const gpg = openGpg();
      await open({}, gpg.env);
      gpg.encrypt(LIST, join(rig.in, 'leads-1.csv.gpg'));
      await expectRecovery(/leads-1\.csv\.gpg cannot be decrypted .* the disk is full .* Free/);
      gpg.close();
    },
  );

  it.skipIf(WITHOUT_SSHD !== '')(
    `leaves a file of SFTP on its server until there is room for it${WITHOUT_SSHD}`,
    async () => {
      const server = await openSshServer();
      const folder = await mkdtemp(join(server.folder, 'in-'));
      await open({
        from: `sftp://${server.user}@127.0.0.1:${server.port}${folder}`,
        sftp: { key: server.keys.good, knownHosts: server.knownHosts },
      });
      await writeFile(join(folder, 'leads-1.csv'), LIST);
      await expectRecovery(/sftp:.*leads-1\.csv cannot be fetched .*the disk is full here\. Free/);
      expect(existsSync(join(folder, 'done/leads-1.csv'))).toBe(true);
      await server.remove();
    },
  );

  it('leaves an object of S3 in its bucket until there is room for it', async () => {
    const server = await openS3Server();
    const s3 = await server.bucket('leads');
    await s3.putObject('in/leads-1.csv', LIST);
    await open({ from: 's3://leads/in', s3: { endpoint: server.endpoint } }, server.env);
    await expectRecovery(/s3:.*leads-1\.csv cannot be fetched .*the disk is full here\. Free/);
    expect(await s3.objectExists('in/done/leads-1.csv')).toBe(true);
    await server.close();
  });
});
