import { figure } from '../figures.mjs';
import { csvOf, dirtyCsvOf, xlsxOf } from '../files.mjs';
import { alternate, here, median, runNode, secondsOfPython } from '../measure.mjs';
import { check } from '../run.mjs';

/** A check of CSV beside csv-parse, which walks the file and does nothing else, and beside Python's csv module. */
export const checkCsv = async (rounds) =>
  checkPart(rounds, await csvOf(1_000_000), './reference-csv', { wall: 1.15, megabytes: 220 });

/** A check of CSV with a stray quote in one row of a thousand: what the scanner must not slow down at. */
export const checkDirty = async (rounds) =>
  checkPart(
    rounds,
    await dirtyCsvOf(1_000_000),
    './reference-csv',
    { wall: 1.0, megabytes: 220 },
    'dirty',
  );

/** A check of a workbook beside exceljs' streaming reader, which walks it, and beside openpyxl where it is installed. */
export const checkXlsx = async (rounds) =>
  checkPart(rounds, await xlsxOf(200_000), './reference-xlsx', { wall: 0.45, megabytes: 350 });

async function checkPart(rounds, file, reference, limits, ...more) {
  const pairs = await alternate(
    rounds,
    () => check(file),
    () => runNode([here(`${reference}.mjs`), file, ...more]),
  );
  const python = await secondsOfPython([here(`${reference}.py`), file]);
  const ratios = pairs.map(({ a, b }) => a.seconds / b.seconds);
  return {
    wall: figure(ratios, limits.wall, 'at most'),
    memory: figure(
      pairs.map(({ a }) => a.megabytes),
      limits.megabytes,
      'at most',
      'MB',
    ),
    seconds: median(pairs.map(({ a }) => a.seconds)),
    referenceSeconds: median(pairs.map(({ b }) => b.seconds)),
    ...(python === null ? {} : { pythonSeconds: python }),
  };
}
