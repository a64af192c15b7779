/** What the mapping counts as the same client. */
export type DuplicateRule = 'sync' | 'phone' | 'none';
