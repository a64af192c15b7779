/** A list that can be imported. */
export interface ListFile {
  readonly path: string;
  /** Its name in an archive; `null` where the file that arrived is the list. */
  readonly part: string | null;
}
