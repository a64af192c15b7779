import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of a Chromium on this machine, if there is one. */
export const browserPath = PLACES.find((path) => path !== undefined && existsSync(path));

if (browserPath === undefined)
  console.warn(
    'Tests in a browser are skipped: no Chromium is found. Install it (apt-get install chromium), or name one in CHROMIUM.',
  );

/** Starts it without a window. As root it has no sandbox of its own. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
