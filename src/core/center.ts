/**
 * What shows contact centers apart in the text that a run is bound to: the address and the synchronization identifiers.
 * The name before them is for people, and may change.
 */
export function centerKey(installation: string): string {
  return /(?: another address| https?:\/\/).*$/s.exec(installation)?.[0] ?? installation;
}
