import type { ComponentChildren, JSX } from 'preact';
import { go, hrefOf, type Place, type Search } from '../state/address.js';

interface LinkProps {
  readonly to: Place;
  /** What the query of its address says. */
  readonly search?: Search | undefined;
  readonly class?: string;
  /** Whether it is where the person is. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link within the page: a real one, so that it can be opened in another tab too. */
export function Link({ to, search, current = false, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to, search);
  };
  return (
    <a
      {...rest}
      href={hrefOf(to, search)}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
