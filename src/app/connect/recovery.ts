import type { CenterPortOptions } from '../../client/center-port.js';
import type { Installation } from '../../installation/installation.js';
import { DEFAULT_RECOVERY } from '../../installation/recovery.js';
import type { BodyExtras } from '../../pipeline/batch.js';

/** What a creation carries so that deleted clients are restored, where the installation wants it (interface.md 4.1). */
export interface RecoveryParts extends CenterPortOptions {
  readonly extras?: BodyExtras;
}

/** @param wanted whether the import restores deleted clients */
export function recoveryParts(
  wanted: boolean,
  { recovery = DEFAULT_RECOVERY }: Pick<Installation, 'recovery'>,
): RecoveryParts {
  if (!wanted) return {};
  const { in: place, name, value } = recovery;
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  switch (place) {
    case 'body':
      return { extras: { beside: member, inEach: '' } };
    case 'client':
      return { extras: { beside: '', inEach: member } };
    case 'query':
      return { query: { [name]: value } };
  }
}
