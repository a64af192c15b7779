import { type Mode, MODES } from '../core/mode.js';
import type { Issue, Wording } from '../config/check-document.js';
import { mappingSchemas } from './mapping.js';
import { pathText, type Path } from '../config/path.js';
import { keysAt } from '../config/schema-keys.js';

type Words = ReturnType<Wording>;

/** A part of the mapping as such: at the top, in `client` or `callback`, or the status of a contact. */
const PART = /^(?:(?:client|callback)\.)?\w+(?:\[\d+\]\.active)?$/;

const BY = /^duplicates\.by(?:\[\d+\])?$/;

/** Says of a mistake that the mode is the reason for it, where it is. */
export function modeWording(mode: Mode): Wording {
  return (issue, path, hint) => {
    const part = pathText(path);
    if (issue.code === 'unrecognized_keys') return notUsed(mode, path);
    if (issue.code === 'invalid_value' && BY.test(part) && issue.input === 'phone')
      return [`mode ${mode} sends no phones to compare.`, 'Use sync or none.'];
    if (issue.code === 'custom' && part === 'duplicates.by')
      return [
        `mode ${mode} sends no phones to compare.`,
        'Name them, such as phones: [Mobile], or use sync or none.',
      ];
    if (issue.input === undefined && PART.test(part)) {
      return [`mode ${mode} needs ${part}.`, keysHint(mode, issue, path) ?? hint];
    }
    return mode === 'contacts' ? bareContact(issue, part) : undefined;
  };
}

/** A part that other modes have. Says what the mode uses in its place, and, where they are few, who uses the part. */
function notUsed(mode: Mode, path: Path): Words {
  const above = path.slice(0, -1);
  const keysOf = (of: Mode): string[] => keysAt(mappingSchemas[of], above);
  const users = MODES.filter((other) => keysOf(other).includes(String(path.at(-1))));
  if (users.length === 0) return undefined;
  const used = keysOf(mode).filter((key) => key !== '$schema');
  const place = above.length === 0 ? 'It' : `Of ${pathText(above)} it`;
  const others = users.length > FEW ? '' : ` It belongs to: ${users.join(', ')}.`;
  return [
    `mode ${mode} does not use ${pathText(path)}.${others}`,
    `${place} uses: ${used.join(', ')}.`,
  ];
}

/** So many modes can be named without wearying anybody. */
const FEW = 3;

/** Of a whole section that is missing, what it holds. */
function keysHint(mode: Mode, issue: Issue, path: Path): string | undefined {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object') return undefined;
  return `It holds: ${keysAt(mappingSchemas[mode], path).join(', ')}.`;
}

/** The name of a column alone, as in other modes. */
function bareContact(issue: Issue, part: string): Words {
  const { input } = issue;
  return issue.code === 'invalid_type' && typeof input === 'string' && /\[\d+\]$/.test(part)
    ? [`mode contacts needs ${part}.active.`, `Write { column: ${input}, active: … }.`]
    : undefined;
}
