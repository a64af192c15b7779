import { chromium } from 'playwright-core';
import { browserPath, LAUNCH, SHARED_BROWSER } from '../browser.js';

/** Starts the one Chromium that tests open their pages in. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (browserPath === undefined) return undefined;
  const server = await chromium.launchServer(LAUNCH);
  // Workers that are started from now on have it.
  process.env[SHARED_BROWSER] = server.wsEndpoint();
  return () => server.close();
}
