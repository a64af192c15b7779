import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });
const file = new URL('../../package.json', import.meta.url);

/** What the client calls itself: `cardline/<version>`. */
export const USER_AGENT = `cardline/${manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version}`;
