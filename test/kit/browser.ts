import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'],
  // The same without what draws windows, which takes two thirds of the time.
  '/usr/bin/chromium-headless-shell',
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

/** Without a window. As root it has no sandbox of its own. */
export const LAUNCH = { executablePath: browserPath ?? '', args: ['--no-sandbox'] };

/** The environment variable with the address of the browser that all tests share. */
export const SHARED_BROWSER = 'CARDLINE_TEST_BROWSER';

/** The browser that tests share, where there is one, else an own one. Closing it closes the caller's pages alone. */
export function startBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER];
  return shared === undefined ? startOwnBrowser() : chromium.connect(shared);
}

/** A browser that reads chosen files itself: the shared one is first handed every byte of them. */
export const startOwnBrowser = (): Promise<Browser> => chromium.launch(LAUNCH);
