import type { PageProblem } from '../shared/errors.js';

/** A request that is not carried out, and why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: PageProblem,
  ) {
    super(problem.sentence);
  }
}

/** An upload of which a part is missing. */
export const brokenOff = (): Refusal =>
  new Refusal(400, {
    code: 'broken_off',
    sentence: 'The upload broke off.',
    next: 'Choose the file again.',
  });

/** There is no such list, or it has been deleted. */
export const noSuchList = (): Refusal =>
  new Refusal(404, {
    code: 'no_such_list',
    sentence: 'This list is not there any more.',
    next: 'Choose the file again.',
  });

/** What columns can become, only an installation says. */
export const noInstallation = (): Refusal =>
  new Refusal(409, {
    code: 'no_installation',
    sentence: 'cardline was started without an installation, which describes your contact center.',
    next: 'Make one with "cardline init" and name it with -i; or start "cardline ui --sandbox".',
  });
