/**
 * Whether a contact center refuses a creation since it keeps a client with these identifiers that was deleted. The
 * interface has no code for it; `recovery` restores such a client (interface.md 4.1).
 */
export const isKeptAsDeleted = (message: string): boolean => /\bdeleted\b/i.test(message);
