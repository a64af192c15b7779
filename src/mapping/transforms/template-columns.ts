/** Names in a template that may be columns. */
export function columnsInTemplate(template: string): string[] {
  return [...template.matchAll(/\{\{|\}\}|\{([^{}]*)\}/g)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  );
}
