import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { foldOf, readLists } from './facts.mjs';
import { ALL_FOLDS, evidenceOfLists, learnEvidence, nameModel, wordings } from './train.mjs';

const { suggestTable } = await import('../../../dist/suggest/suggest.js');
const { CLASSES, guess, recognise, useWeights } =
  await import('../../../dist/suggest/understand.js');
const { columnLetters } = await import('../../../dist/core/table.js');
const SURE = 0.85;

/** The card with all the usual fields, which the targets of the lists name. */
const CARD = Object.fromEntries(
  'customerNo fullName contractNo policyNo orderNo taxId iban salutation nickname birthDate age gender language maritalStatus company jobTitle department industry messenger website city region postalCode country leadStatus segment tier source campaign manager score priority tags comment topic consent callResult attempts createdAt updatedAt lastCall callbackAt dueDate endDate startDate amount revenue employees debt overdueDays premium currency product quantity branch vehicle plateNumber insurer doNotCall'
    .split(' ')
    .map((name) => [
      name,
      {
        type: 'TextField',
        sync: name === 'customerNo',
        required: ['customerNo', 'fullName'].includes(name),
      },
    ]),
);

/** As a file is read: a name that stands twice says nothing, and the column goes by its letter. */
function namesOf(columns) {
  const all = columns.map(({ header }) => header);
  return all.map((header, at) =>
    all.indexOf(header) === all.lastIndexOf(header) ? header : columnLetters(at),
  );
}

/** What is suggested for each column of a list, and what became of the draft. */
function outcomeOf({ id, language, columns }) {
  const length = Math.max(...columns.map(({ cells }) => cells.length));
  const rows = Array.from({ length }, (_, row) => columns.map(({ cells }) => cells[row] || null));
  const {
    columns: found,
    toFillIn,
    trial,
  } = suggestTable({
    table: {
      headers: namesOf(columns),
      sample: rows,
      first: rows.map((cells, row) => ({ row: row + 2, cells })),
    },
    source: { file: `${id}.csv`, headerRow: 1 },
    installation: { card: CARD, clientRoles: [1] },
  });
  return {
    ...{ id, language },
    draft: toFillIn.length > 0 ? 'explained' : (trial?.clients ?? 0) > 0 ? 'accepted' : 'refused',
    columns: columns.map(({ header, concepts, targets }, at) => ({
      ...{ header, concepts, targets },
      ...{ target: found[at].target, score: found[at].score, why: found[at].why },
    })),
  };
}

const percent = (part, all, digits = 1) =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(digits)} %`;

function rowOf(name, outcomes) {
  const columns = outcomes.flatMap((each) => each.columns);
  const isRight = ({ target, targets }) => targets.includes(target);
  const placed = columns.filter(({ targets }) => !targets.includes(null));
  const wrong = columns.filter((each) => each.target !== null && !isRight(each));
  const drafts = (kind) => outcomes.filter(({ draft }) => draft === kind).length;
  return [
    ...[
      name,
      outcomes.length,
      columns.length,
      percent(columns.filter(isRight).length, columns.length),
    ],
    ...[
      percent(placed.filter(isRight).length, placed.length),
      percent(wrong.length, columns.length),
    ],
    percent(wrong.filter(({ score }) => score >= SURE).length, columns.length, 2),
    ['accepted', 'explained', 'refused'].map(drafts).join(' / '),
  ];
}

const HEAD = [
  '',
  'lists',
  'columns',
  'right',
  'right of those with a place',
  'wrong',
  'wrong and sure',
];
const table = (rows) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
const titled = ([head, ...rows]) => table([head, head.map(() => '---'), ...rows]);

function reliability(outcomes) {
  const columns = outcomes.flatMap((each) => each.columns).filter(({ target }) => target !== null);
  return [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95].flatMap((from, at, all) => {
    const its = columns.filter(({ score }) => score >= from && score < (all[at + 1] ?? 2));
    const right = its.filter(({ target, targets }) => targets.includes(target)).length;
    return its.length === 0 ? [] : [[from.toFixed(2), its.length, percent(right, its.length)]];
  });
}

/** Columns whose names are among the wordings of the package, and the others. */
function byKnowledge(outcomes) {
  return [true, false].map((isKnown) =>
    rowOf(
      isKnown ? 'names that are known wordings' : 'other names',
      outcomes.map((each) => ({
        ...each,
        columns: each.columns.filter(({ header }) => recognise(header).isKnown === isKnown),
      })),
    ),
  );
}

function show(outcomes) {
  const languages = [...new Set(outcomes.map(({ language }) => language))]
    .map((language) => [language, outcomes.filter((each) => each.language === language)])
    .filter(([, its]) => its.length >= 5)
    .sort((a, b) => b[1].length - a[1].length);
  console.log(
    titled([
      [...HEAD, 'drafts accepted / explained / refused'],
      rowOf('all', outcomes),
      ...byKnowledge(outcomes),
      ...languages.map(([language, its]) => rowOf(language, its)),
    ]),
  );
  console.log(`\n${titled([['score from', 'columns', 'right'], ...reliability(outcomes)])}`);
  if (process.argv.includes('--misses'))
    for (const { id, language, columns } of outcomes)
      for (const { header, concepts, targets, target, score, why } of columns)
        if (!targets.includes(target))
          console.log(
            [language, id, header, concepts.join('|'), targets.join('|'), target, score, why].join(
              '\t',
            ),
          );
}

/** Lists of one part, by what was learned from the sources of the others. */
function measureFold(fold) {
  const learned = learnEvidence(evidenceOfLists(ALL_FOLDS.filter((each) => each !== fold)));
  useWeights({ ...nameModel({ sources: fold }), ...learned });
  return readLists()
    .filter(({ source }) => foldOf(source) === fold)
    .map(outcomeOf);
}

/** Each part in a process of its own: what is known of names is kept. */
async function measureFolds() {
  const outcomes = [];
  const left = [...ALL_FOLDS];
  const work = async () => {
    for (let fold = left.shift(); fold !== undefined; fold = left.shift()) {
      const args = [import.meta.filename, `--fold=${fold}`];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      outcomes.push(...JSON.parse(await text(child.stdout)));
    }
  };
  await Promise.all([work(), work()]);
  return outcomes;
}

/** Wordings of each part, by what was learned from the others. `isStrict`: none of them is learned from other sources either. */
function measureWordings(isStrict) {
  let [right, all] = [0, 0];
  for (const fold of ALL_FOLDS) {
    useWeights({ ...nameModel({ words: fold, isStrict }), likeness: 1, known: 0, evidence: {} });
    for (const { form, concepts } of wordings()) {
      if (foldOf(form) !== fold) continue;
      const likely = guess(form).slice(0, -1);
      all++;
      if (concepts.includes(CLASSES[likely.indexOf(Math.max(...likely))])) right++;
    }
  }
  console.log(
    `wordings${isStrict ? ', in no other source either' : ''}: ${percent(right, all)} of ${all}`,
  );
}

const fold = process.argv.find((each) => each.startsWith('--fold='));
if (fold) process.stdout.write(JSON.stringify(measureFold(Number(fold.slice('--fold='.length)))));
else if (process.argv.includes('--all')) show(readLists().map(outcomeOf));
else {
  show(await measureFolds());
  if (process.argv.includes('--wordings'))
    for (const isStrict of [false, true]) measureWordings(isStrict);
}
