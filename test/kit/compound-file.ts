/** A compound file, the container of old and of encrypted workbooks, with streams of these names. */
export function compoundFile(...names: string[]): Buffer {
  const header = Buffer.alloc(512);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(0, 76);
  const fat = Buffer.alloc(512, 0xff);
  fat.writeUInt32LE(2, 4);
  fat.writeUInt32LE(0xfffffffe, 8);
  const directory = Buffer.alloc(1024);
  ['Root Entry', 'a', 'b', 'c', ...names].forEach((name, at) => {
    directory.write(name, at * 128, 'utf16le');
    directory.writeUInt16LE(name.length * 2 + 2, at * 128 + 64);
  });
  return Buffer.concat([header, fat, directory]);
}
