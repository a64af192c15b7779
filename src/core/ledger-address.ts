const SCHEMES = /^postgres(?:ql)?:\/\//i;

/** Whether the text names a ledger in PostgreSQL, and no file. */
export const isPostgresAddress = (text: string): boolean => SCHEMES.test(text);
