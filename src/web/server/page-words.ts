/** What the command line has an option for, or the mapping a key, and the page a control. */
const CONTROLS: readonly (readonly [words: RegExp, instead: string])[] = [
  [/Check headerRow\./, 'Choose another row or sheet.'],
  [/Name another one with source\.headerRow\./, 'Choose another one in the step File.'],
  [/Name the right one with --encoding, or [^.]*\./, 'Choose the right one in the step File.'],
  [
    /Save the file as UTF-8, or name its encoding: --encoding, or [^.]*\./,
    'Save the file as UTF-8, or choose its encoding in the step File.',
  ],
  [/Leave --sheet out, or name another file\./, 'Choose another file.'],
  [/Name another sheet\./, 'Choose another sheet in the step File.'],
];

/** Words of the engine as the page says them: they name what the person sees there. */
export const pageWords = (text: string): string =>
  CONTROLS.reduce((words, [pattern, instead]) => words.replace(pattern, instead), text);
