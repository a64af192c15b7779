import { parse } from 'node:path';

/** What some system does not take within the name of a file. */
// eslint-disable-next-line no-control-regex -- names may hold any character
const REFUSED = /[\\/:*?"<>|\u0000-\u001f\u007f]/g;
/** File systems count bytes, and take 255. */
const MAX_BYTES = 200;

/** The name of an upload as a file has it here: what the browser names may be no name of a file, or lead elsewhere. */
export function fileNameOf(name: string): string {
  const { name: stem, ext } = parse(name.replaceAll(REFUSED, '_').replace(/^\.+/, ''));
  const room = Math.max(1, MAX_BYTES - Buffer.byteLength(ext));
  return (shortened(stem, room) || 'list') + shortened(ext, MAX_BYTES);
}

function shortened(text: string, bytes: number): string {
  let short = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    short += character;
  }
  return short;
}
