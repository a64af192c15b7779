/** An error that the operating system gave, such as ENOENT. */
export interface SystemError extends Error {
  readonly code: string;
}

/** The error as one of the operating system, if it is one. */
export function systemErrorOf(error: unknown): SystemError | undefined {
  return isSystemError(error) ? error : undefined;
}

function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error &&
    'errno' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^E[A-Z0-9]+$/.test(error.code)
  );
}
