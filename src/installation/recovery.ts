export const RECOVERY_PLACES = ['body', 'query', 'client'] as const;

/** What holds where an installation does not say, and what the sandbox takes (interface.md 4.1). */
export const DEFAULT_RECOVERY = { in: 'body', name: 'recovery', value: true } as const;
