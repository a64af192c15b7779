import { type CardlineError, ConfigurationError, type InputError } from './errors.js';
import { describeMistake, describePlace, type ConfigMistake } from './places.js';

/**
 * Errors of several files as one, so that a person mends all of them at once. What several of them say is said once.
 * @param errors at least one
 */
export function asOneError(errors: readonly (ConfigurationError | InputError)[]): CardlineError {
  const [first] = errors;
  if (first && errors.length === 1) return first;
  const mistakes = errors.flatMap((error) =>
    error instanceof ConfigurationError ? error.mistakes : [mistakeOfInput(error)],
  );
  const byText = new Map(mistakes.map((mistake) => [describeMistake(mistake), mistake]));
  return new ConfigurationError([...byText.values()]);
}

function mistakeOfInput({ place, reason }: InputError): ConfigMistake {
  const { file, line, ...inside } = place;
  const where = describePlace({ file: '', ...inside }).replace(/^, /, '');
  return { file, line, message: `${where === '' ? '' : `${where}: `}${reason}` };
}
