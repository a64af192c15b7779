/** Environment that `${NAME}` is looked up in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Text with `${NAME}` replaced, and the names that the environment lacks or holds empty. */
export interface Substituted {
  readonly text: string;
  readonly missing: readonly string[];
}

/** Replaces every `${NAME}` of a text from the environment. */
export function substitute(text: string, env: Environment): Substituted {
  const missing: string[] = [];
  const replaced = text.replace(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => {
    const value = env[name] ?? '';
    if (value === '') missing.push(name);
    return value === '' ? whole : value;
  });
  return { text: replaced, missing };
}
