import type { JSX } from 'preact';
import type { RejectsOf } from '../../shared/list.js';
import { frameText } from '../messages/frame.js';
import { t } from '../state/language.js';
import { Link } from './link.js';

interface RejectsNoteProps {
  /** Name of the file whose rows are shown. */
  readonly name: string;
  /** Where they come from; `null`: from that file alone. */
  readonly from: RejectsOf | null;
}

/** Says of which file the row numbers are, where the rows come from another one. */
export const RejectsNote = ({ name, from }: RejectsNoteProps): JSX.Element | null =>
  from && (
    <p class="soft">
      {t(frameText.rejectsOf, name)} <Link to={{ kind: 'run', run: from.run }}>{from.file}</Link>
    </p>
  );

/** What a file of rejects is called: whose rows it has, and not how the folder of their run calls it. */
export const mendedRows = ({ file }: RejectsOf): string => t(frameText.mendedRows, file);
