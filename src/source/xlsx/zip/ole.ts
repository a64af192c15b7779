import type { FileHandle } from 'node:fs/promises';

/** First bytes of a compound file: what Office wrote before 2007, and what wraps an encrypted workbook. */
export const OLE_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const HEADER = 512;
const DIRECTORY_ENTRY = 128;
const NAME_LENGTH_AT = 64;
/** Offsets in the header ([MS-CFB] 2.2). */
const AT = { sectorShift: 30, firstDirectory: 48, fatSectors: 76 } as const;
const FAT_SECTORS_IN_HEADER = 109;
const LAST_SECTOR = 0xfffffffa;
/** Enough for the streams of any workbook; a chain may also go round in a circle. */
const MAX_SECTORS = 256;

/** Names of the streams in a compound file, as far as its directory can be read. */
export async function readOleNames(handle: FileHandle): Promise<Set<string>> {
  const header = await read(handle, 0, HEADER);
  const names = new Set<string>();
  if (header.length < HEADER) return names;
  const size = 2 ** Math.min(header.readUInt16LE(AT.sectorShift), 12);
  let sector = header.readUInt32LE(AT.firstDirectory);
  for (let count = 0; count < MAX_SECTORS && sector < LAST_SECTOR; count++) {
    addNames(await read(handle, (sector + 1) * size, size), names);
    sector = await nextSector(handle, header, size, sector);
  }
  return names;
}

async function nextSector(
  handle: FileHandle,
  header: Buffer,
  size: number,
  sector: number,
): Promise<number> {
  const perFat = size / 4;
  const fat = Math.floor(sector / perFat);
  if (fat >= FAT_SECTORS_IN_HEADER) return LAST_SECTOR;
  const fatSector = header.readUInt32LE(AT.fatSectors + fat * 4);
  const entry = await read(handle, (fatSector + 1) * size + (sector % perFat) * 4, 4);
  return entry.length < 4 ? LAST_SECTOR : entry.readUInt32LE(0);
}

function addNames(directory: Buffer, names: Set<string>): void {
  for (let at = 0; at + DIRECTORY_ENTRY <= directory.length; at += DIRECTORY_ENTRY) {
    const length = directory.readUInt16LE(at + NAME_LENGTH_AT);
    if (length >= 2 && length <= NAME_LENGTH_AT)
      names.add(directory.toString('utf16le', at, at + length - 2));
  }
}

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}
