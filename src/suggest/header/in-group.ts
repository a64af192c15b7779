import { type Recognised, recognise } from './recognise.js';

/** How much surer a name has to be without its group, or in another order, to be taken for that. */
const LEAD = 0.03;

/**
 * What the name of a column under a group means, `Mobile` under `Phones`: by both together, in either order, or by its
 * own name. Of whom it is, the whole name says.
 */
function recogniseInGroup(header: string, own: string): Recognised {
  const whole = recognise(header);
  const group = header.slice(0, Math.max(0, header.length - own.length)).trim();
  if (own === '' || group === '' || !header.endsWith(own)) return whole;
  const one = group.replace(/(?<=\p{L}{3})(?:s|ы|и)$/u, '');
  const others = [`${own} ${one}`, `${one} ${own}`, own].map(recognise);
  let best = whole;
  for (const other of others) if (sureness(other) > sureness(best) + LEAD) best = other;
  const { ofOthers, about } = whole;
  return { ...best, ofOthers, about: about && best.about };
}

const sureness = ({ meanings }: Recognised): number => meanings[0]?.score ?? 0;

const PATH = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+$/u;

/** What a header means, be it under a group, or a path of nested records such as `customer.name.first`. */
export function recogniseHeader(header: string, own: string): Recognised {
  if (own !== '' || !PATH.test(header)) return recogniseInGroup(header, own);
  const steps = header.split('.').slice(-2);
  const { ofOthers } = recognise(header);
  return { ...recogniseInGroup(steps.join(' '), steps[1] ?? ''), ofOthers };
}
