/** An input that is not what it was when its command began. */
export interface ChangedInput {
  readonly name: string;
  /** Whether all of it had been read before: the rows of the run are those of the file as it was. */
  readonly wasRead: boolean;
}

const NOT_ALL_AGAIN =
  'Import those that the report lacks, and only those: the others would be scheduled a second time.';

/** What happened to an input, and what to do. `mode`: that of the run, or `check`. */
export function changedText({ name, wasRead }: ChangedInput, mode: string): string {
  if (mode === 'check')
    return `${name} was changed while it was being read: what was found is not of the whole file. Check it again, once nobody writes to it.`;
  if (wasRead)
    return `${name} was changed after it had been read: what it holds now was not imported. Import it again where that is another list.`;
  const next = mode === 'callbacks' ? NOT_ALL_AGAIN : 'Import it again, once nobody writes to it.';
  return `${name} was changed while it was being read: rows are missing, and what was read after the change was not sent. ${next}`;
}
