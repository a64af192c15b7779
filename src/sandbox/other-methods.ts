import { operations } from '../contract/operations.js';

const PATHS = Object.values(operations).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The methods that a path takes; none when there is no such path. */
export function otherMethods(url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
