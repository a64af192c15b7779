/**
 * A module of the build, typed by its source: `await built<typeof Import>('run/import.js')`. Threads are files of their
 * own, which only the build has.
 */
// The type is what the caller knows of the file that it names.
export const built = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(`../../dist/${file}`, import.meta.url).href)) as Module;

/** The built library. */
export const LIBRARY = 'command/index.mjs';
