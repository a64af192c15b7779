import type { ComponentChildren, JSX } from 'preact';
import { hrefWith, pushQuery } from '../../state/address.js';
import { isShown, showing, type RowFilter } from './filter.js';

interface RowLinkProps {
  readonly filter: RowFilter;
  readonly children: ComponentChildren;
}

/** A count that leads to its rows, or hides them again. A real link, so that it can be opened in another tab too. */
export function RowLink({ filter, children }: RowLinkProps): JSX.Element {
  const current = isShown(filter);
  const changes = showing(current ? null : filter);
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    pushQuery(changes);
    if (!current) document.getElementById('rows')?.focus();
  };
  return (
    <a href={hrefWith(changes)} aria-current={current ? 'true' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
