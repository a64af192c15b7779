import fc from 'fast-check';
import { chosenSeed } from '../random.js';

/** Properties are tried with values of the same seed as all other random choices. A failure prints it. */
fc.configureGlobal({ seed: chosenSeed() });
