/**
 * The words of a command line, written as a person types it: `words\`import ${file} -m mapping.yaml\``. What is put in is a
 * word, or part of one; a list, several. Quotation marks keep blanks together.
 */
export function words(
  { raw }: { readonly raw: readonly string[] },
  ...values: readonly (string | number | readonly string[])[]
): string[] {
  const found: string[] = [];
  let word: string | undefined;
  const end = (): void => {
    if (word !== undefined) found.push(word);
    word = undefined;
  };
  for (const [at, text] of raw.entries()) {
    for (const [, blank, quoted, plain] of text.matchAll(/(\s+)|'([^']*)'|([^\s']+)/g))
      if (blank) end();
      else word = (word ?? '') + (quoted ?? plain ?? '');
    const value = values[at];
    if (Array.isArray(value)) {
      end();
      found.push(...(value as readonly string[]));
    } else if (value !== undefined) word = (word ?? '') + String(value);
  }
  end();
  return found;
}

/** The words of a line of a table. */
export const wordsIn = (line: string): string[] => words({ raw: [line] });
