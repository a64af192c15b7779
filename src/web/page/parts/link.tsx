import type { ComponentChildren, JSX } from 'preact';
import { go, hrefOf, type Place } from '../state/address.js';

interface LinkProps {
  readonly to: Place;
  readonly class?: string;
  /** Whether it is where the person is. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link within the page: a real one, so that it can be opened in another tab too. */
export function Link({ to, current = false, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={hrefOf(to)} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
