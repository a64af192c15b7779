/** Values of a text of metrics, by name and labels as they stand there. */
export const samplesIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );

/** The sum of all samples that begin so. */
export const sumIn = (text: string, beginning: string): number =>
  Object.entries(samplesIn(text))
    .filter(([key]) => key.startsWith(beginning))
    .reduce((sum, [, value]) => sum + value, 0);
