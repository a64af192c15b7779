import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EXIT } from '../../../core/errors.js';
import type { SourceInfo } from '../../../core/table.js';
import { type InspectedLedger, inspectLedger } from '../../../ledger/ledger.js';
import { fileOfLedger, ledgerPath } from '../../run/ledger-path.js';
import { type Check, type CheckContext, known } from '../check.js';
import { type Diagnosis, failed, ok } from '../finding.js';

/** The ledger can be written, and nobody works on one of its runs. */
export const ledger: Check = {
  needs: ['installation'],
  run: async (context) => {
    const found = await inspectLedger(ledgerOf(context));
    const [place] = found.notWritable;
    if (place !== undefined)
      return failed(
        `${place} cannot be written. Ask for the right, or name another ledger with --ledger.`,
        EXIT.stopped,
      );
    if (found.version !== undefined && found.version > found.ownVersion)
      return failed(
        `${found.file} was written by a later version of cardline. Use that version, or another --ledger.`,
        EXIT.usage,
      );
    const [run] = found.inUse;
    if (run !== undefined)
      return failed(
        `${found.file}: another process works on the run ${run}. Wait for it, or stop it.`,
        EXIT.stopped,
      );
    return ok(ledgerText(found));
  },
};

function ledgerText({ file, version, ownVersion }: InspectedLedger): string {
  if (version === undefined) return `${file}: is made by the first import`;
  return version === ownVersion
    ? `${file}: version ${version}, not in use`
    : `${file}: version ${version}, not in use; the next import brings it to version ${ownVersion}`;
}

const ledgerOf = ({ request, installation }: CheckContext): string =>
  ledgerPath(request.ledger, known(installation));

const MIB = 1024 ** 2;
/** Ledger and reports of a run, at least. */
const MIN_BYTES = 64 * MIB;
/** Bytes that an import writes for each byte it reads. Measured: 1.9 times the bytes of a CSV file of short rows in the ledger, 1.8 times in the report. */
const WRITTEN_PER_INPUT_BYTE = 4;
/** What is packed becomes so many times larger. */
const PACKED = 5;

/** There is room for what an import writes: in the ledger's folder, and here, where reports go. */
export const disk: Check = {
  needs: ['installation'],
  run: async (context) => {
    const wanted = neededFor(context.info);
    const rooms = new Map<number, { folder: string; free: number }>();
    for (const path of [dirname(resolve(fileOfLedger(ledgerOf(context)))), process.cwd()]) {
      const folder = await existing(path);
      const { dev } = await stat(folder);
      const { bavail, bsize } = await statfs(folder);
      if (!rooms.has(dev)) rooms.set(dev, { folder, free: bavail * bsize });
    }
    return roomFound([...rooms.values()], wanted);
  },
};

function roomFound(
  rooms: readonly { readonly folder: string; readonly free: number }[],
  wanted: number,
): Diagnosis {
  const [tight] = rooms.filter(({ free }) => free < wanted);
  const text = rooms.map(({ folder, free }) => `${sizeText(free)} free at ${folder}`).join(', ');
  if (tight === undefined) return ok(`${text}; an import takes up to about ${sizeText(wanted)}`);
  return failed(
    `${sizeText(tight.free)} free at ${tight.folder}, and an import takes up to about ${sizeText(wanted)}. Make room, or name another place with --ledger and --out.`,
    EXIT.stopped,
  );
}

function neededFor(info: SourceInfo | undefined): number {
  if (info === undefined) return MIN_BYTES;
  const isText = info.encoding !== undefined && !info.gzip;
  return Math.max(MIN_BYTES, info.bytes * WRITTEN_PER_INPUT_BYTE * (isText ? 1 : PACKED));
}

/** Folders are made when they are needed: what counts is the nearest one that is there. */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() === true || dirname(folder) === folder
    ? folder
    : existing(dirname(folder));
}

function sizeText(bytes: number): string {
  const mib = bytes / MIB;
  return mib < 1024 ? `${Math.floor(mib)} MiB` : `${(mib / 1024).toFixed(1)} GiB`;
}
