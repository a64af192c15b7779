/** How the lines of a list become numbers: E.164 without the plus, at most 15 digits. */
export interface NumberReader {
  /**
   * The number that plain digits surely are; 0 where they have to be parsed.
   * @param value the digits as a number, exact to 15 of them
   * @param hasPlus whether a plus stands before them
   */
  plain(value: number, digits: number, hasPlus: boolean): number;
  /** The number in any text that a phone transform takes; 0 where there is none. */
  parse(text: string): number;
}
