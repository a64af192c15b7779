/** Where in an input file something is wrong. */
export interface InputPlace {
  readonly file: string;
  readonly sheet?: string | undefined;
  /** Line of a text file, from 1. */
  readonly line?: number | undefined;
  /** Row as the person sees it in a spreadsheet program. */
  readonly row?: number | undefined;
  readonly column?: string | undefined;
}

export function describePlace({ file, sheet, line, row, column }: InputPlace): string {
  const parts = [file];
  if (sheet !== undefined) parts.push(`sheet "${sheet}"`);
  if (line !== undefined) parts.push(`line ${line}`);
  if (row !== undefined) parts.push(`row ${row}`);
  if (column !== undefined) parts.push(`column "${column}"`);
  return parts.join(', ');
}

/** One mistake of a mapping or installation file. */
export interface ConfigMistake {
  readonly file: string;
  /** From 1; absent when the mistake has no place, such as a missing file. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Path inside the file, such as `client.fields.offerId`. */
  readonly path?: string | undefined;
  readonly message: string;
  /** What would be right. */
  readonly suggestion?: string | undefined;
}

export function describeMistake(mistake: ConfigMistake): string {
  const place = [mistake.file, mistake.line, mistake.column]
    .filter((part) => part !== undefined)
    .join(':');
  const path = mistake.path ? ` ${mistake.path}:` : '';
  const suggestion = mistake.suggestion ? ` ${mistake.suggestion}` : '';
  return `${place}:${path} ${mistake.message}${suggestion}`;
}
