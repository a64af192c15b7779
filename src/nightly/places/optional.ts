import { codeOf, UsageError } from '../../core/errors.js';

/**
 * Loads a package that only some need.
 * @throws UsageError that says how it is installed, where it is not
 */
export async function optionalPackage<T>(
  name: string,
  version: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' && codeOf(error) !== 'MODULE_NOT_FOUND')
      throw error;
    throw new UsageError(
      `The package ${name} is needed for this place, and is not installed. Install it where cardline is: "npm install ${name}@${version}", with --global where cardline is installed so.`,
      { cause: error },
    );
  }
}
