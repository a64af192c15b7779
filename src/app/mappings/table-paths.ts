import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { ConfigurationError } from '../../core/errors.js';
import { parsePlaced } from '../../config/document.js';
import { patchYaml } from '../../config/patch/patch-yaml.js';
import { isRecord } from '../../mapping/edit/record.js';

/** Names the tables that a mapping looks up by whole paths, so that it works in another folder. */
export const withWholePaths = (yaml: string, mappingFile: string): string =>
  withTables(yaml, (name) => resolve(dirname(mappingFile), name));

/** Names the tables in the folder of a mapping, or below it, as people write them there. */
export const withShortPaths = (yaml: string, mappingFile: string): string =>
  withTables(yaml, (name) => {
    const short = relative(dirname(mappingFile), name);
    return isAbsolute(name) && !isAbsolute(short) && !short.startsWith('..') ? short : name;
  });

/** What is no YAML stays as it is: its mistakes are shown before its tables are needed. */
function withTables(yaml: string, nameFor: (name: string) => string): string {
  try {
    return patchYaml(yaml, renamed(parsePlaced('', yaml).value, nameFor)) ?? yaml;
  } catch (error) {
    if (error instanceof ConfigurationError) return yaml;
    throw error;
  }
}

function renamed(value: unknown, nameFor: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => renamed(inner, nameFor));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isTable = key === 'lookup' && isRecord(inner) && typeof inner['file'] === 'string';
      return [
        key,
        isTable ? { ...inner, file: nameFor(String(inner['file'])) } : renamed(inner, nameFor),
      ];
    }),
  );
}
