import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { CardlineError, EXIT } from '../../core/errors.js';

class NoBrowserError extends CardlineError {
  readonly exitCode = EXIT.usage;
}

/** What opens a file as a double click does, by system. The first word is the program. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` takes its first quoted argument for a title.
  win32: ['cmd', '/c', 'start', ''],
};
const OPENER = ['xdg-open'] as const;

/** How long an opener may take to report that it has nothing to open the page with, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Opens a page in the browser.
 * @throws NoBrowserError when there is none
 */
export async function openInBrowser(
  page: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [program, ...words] = OPENERS[platform] ?? OPENER;
  const child = spawn(program, [...words, page], { env, stdio: 'ignore', detached: true });
  let timer: NodeJS.Timeout | undefined;
  const failed = await new Promise<boolean>((resolve) => {
    // An opener that runs the browser itself goes on as long as that does.
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
    child.once('error', () => resolve(true));
    child.once('exit', (code) => resolve(code !== 0));
  });
  clearTimeout(timer);
  child.unref();
  if (failed)
    throw new NoBrowserError(
      `No browser could be opened here (${program}). Open ${page} yourself, or copy it to where there is one.`,
    );
}
