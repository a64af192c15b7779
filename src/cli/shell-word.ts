/** A word as it is pasted into a shell: in quotes where the shell would take it for something else. */
export const shellWord = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
