import type { Preparation } from '../../prepare/plan.js';
import type { FilesRequest } from '../requests.js';

/** Says what was found out about the inputs, and where a header was found that is not in the first row. */
export function reportInputs(
  { inputs, warnings }: Pick<Preparation, 'inputs' | 'warnings'>,
  { onInput, onWarning }: Pick<FilesRequest, 'onInput' | 'onWarning'>,
): void {
  for (const { message } of warnings) onWarning?.(message);
  for (const { name, info, foundHeader, headerRow, furtherHeaders } of inputs) {
    onInput?.(name, info);
    for (const [sheet, row] of furtherHeaders)
      if (row > 1)
        onWarning?.(
          `${name}, sheet "${sheet}": lines above the header that are left out: ${row - 1}.`,
        );
    const [first, second] = foundHeader;
    if (first === undefined && headerRow > 1)
      onWarning?.(`${name}: lines above the header that are left out: ${headerRow - 1}.`);
    if (first === undefined || (first === 1 && second === undefined)) continue;
    const rows = second === undefined ? `row ${first}` : `rows ${first} and ${second}`;
    const preface = first > 1 ? ` Lines above it that are left out: ${first - 1}.` : '';
    onWarning?.(`${name}: the header was found in ${rows}.${preface}`);
  }
}
