import { packageVersion } from '../files/package-version.js';

/** What the client calls itself: `cardline/<version>`. */
export const USER_AGENT = `cardline/${packageVersion()}`;
