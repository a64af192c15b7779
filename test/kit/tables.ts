import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Cases in a YAML file, which itself says of what they are made. */
export const tablesIn = (folder: string, name: string): unknown =>
  parse(readFileSync(join(folder, name), 'utf8'), { merge: true });
