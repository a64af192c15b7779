import { readText } from '../../config/document.js';
import { withWholePaths } from './table-paths.js';

/**
 * The text of a mapping file for use in another folder: the tables that it looks up are named by whole paths.
 * @throws ConfigurationError when there is no such file, or it is no text
 */
export const readMappingText = async (file: string): Promise<string> =>
  withWholePaths(await readText(file), file);
