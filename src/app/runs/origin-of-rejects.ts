import { basename, dirname, resolve } from 'node:path';
import type { RunRecord } from '../../core/ledger.js';
import { REJECTS_NAME } from '../../core/report.js';
import type { Ledger } from '../../ledger/ledger.js';
import { hasLedger } from '../run/ledger-path.js';
import { viewLedger } from './view-ledger.js';

/** Where rows of a rejects file come from. */
export interface OriginOfRejects {
  /** The first run of them. */
  readonly run: string;
  /** Its input. */
  readonly file: string;
}

/** Finds where the rows of a file come from; `null` for another file, and where the run is not on record any more. */
export type FindOrigin = (path: string) => OriginOfRejects | null;

/**
 * The run whose rejects a file holds, and its input: rows have other numbers there. Rejects of rejects come from the first
 * of these runs. `null` for another file, and where the run is not on record any more.
 */
export async function originOfRejects(
  ledger: string,
  path: string,
): Promise<OriginOfRejects | null> {
  if (!isNamedLikeRejects(path) || !hasLedger(ledger)) return null;
  return (await viewLedger(ledger, (view) => originsOf(view, [path])))(path);
}

/**
 * The same for the files of several runs. The folder of a run is named by its id unless the command named it: only then are
 * all runs read, once.
 */
export async function originsOf(
  ledger: Pick<Ledger, 'runs' | 'find'>,
  paths: readonly string[],
): Promise<FindOrigin> {
  const known = new Map<string, RunRecord>();
  let missing = paths.filter(isNamedLikeRejects);
  while (missing.length > 0) {
    const found = await Promise.all(missing.map((path) => ledger.find(idIn(path))));
    for (const run of found) if (run) known.set(resolve(run.out), run);
    if (missing.some((path) => !known.has(folderOf(path)))) return originFinder(await ledger.runs());
    const before = missing.flatMap((path) => originIn(known, path)?.file ?? []);
    missing = before.filter((file) => isNamedLikeRejects(file) && !known.has(folderOf(file)));
  }
  return finderIn(known);
}

/** Whether all inputs of a run are rejects of another one, or rejects of these. */
export async function isOfRejects(
  ledger: Pick<Ledger, 'runs' | 'find'>,
  { run }: Pick<RunRecord, 'run'>,
  { inputs }: Pick<RunRecord, 'inputs'>,
): Promise<boolean> {
  const originOf = await originsOf(ledger, inputs);
  return inputs.length > 0 && inputs.every((path) => originOf(path)?.run === run);
}

/** Finds origins among these runs, the latest first. */
export const originFinder = (runs: readonly RunRecord[]): FindOrigin =>
  finderIn(new Map(runs.map((run) => [resolve(run.out), run] as const).reverse()));

type RunsByFolder = ReadonlyMap<string, RunRecord>;

function finderIn(byFolder: RunsByFolder): FindOrigin {
  return (path) => {
    let origin = originIn(byFolder, path);
    for (let next = origin; next; next = originIn(byFolder, next.file)) origin = next;
    return origin;
  };
}

function originIn(byFolder: RunsByFolder, path: string): OriginOfRejects | null {
  const [name, number = '-1'] = REJECTS_NAME.exec(basename(path)) ?? [];
  if (name === undefined) return null;
  const from = byFolder.get(folderOf(path));
  const file = from?.inputs[Number(number.slice(1)) - 1];
  return from && file !== undefined && file !== path ? { run: from.run, file } : null;
}

const isNamedLikeRejects = (path: string): boolean => REJECTS_NAME.test(basename(path));
const folderOf = (path: string): string => dirname(resolve(path));
const idIn = (path: string): string => basename(folderOf(path));
