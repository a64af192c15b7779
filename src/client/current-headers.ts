import { type Environment, canChange } from '../files/placeholders.js';
import type { Installation } from '../installation/installation.js';
import { requestHeaders } from './headers.js';

type Headers = Readonly<Record<string, string>>;

/** The headers of the next request. */
export interface CurrentHeaders {
  /** Those of now: the same object until a secret has been replaced. */
  readonly used: Headers;
  of(hasBody: boolean): Headers;
  /** Reads the secrets anew, and says whether a request with them differs from one with `used`. */
  areNewerThan(used: Headers): boolean;
}

/** Keeps headers whose secrets lie in files, which whoever runs the machine may replace at any time. */
export function currentHeaders(
  installation: Pick<Installation, 'headers'>,
  env: Environment,
  first: Headers,
): CurrentHeaders {
  let used = first;
  let bodiless = withoutType(first);
  const isFixed = !Object.values(installation.headers).some(canChange);
  return {
    get used() {
      return used;
    },
    of: (hasBody) => (hasBody ? used : bodiless),
    areNewerThan: (before) => {
      if (isFixed) return false;
      const { headers, mistakes } = requestHeaders(installation, env);
      // A secret that is being replaced may be missing for a moment.
      if (mistakes.length === 0 && !isSame(headers, used)) {
        used = headers;
        bodiless = withoutType(headers);
      }
      return used !== before;
    },
  };
}

/** Some servers take an empty body for broken JSON when it is announced as JSON. */
function withoutType({ 'content-type': _, ...headers }: Headers): Headers {
  return headers;
}

const isSame = (a: Headers, b: Headers): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);
