/** Way from the top of a file to a value: keys and list positions. */
export type Path = readonly (string | number)[];

/** `client.phones[0].column`. */
export function pathText(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
