import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { foldOf, FOLDS, readHeaders, readLists } from './facts.mjs';
import { variantsOf } from './variants.mjs';

const DIST = '../../../dist/suggest';
const { normalForm, wordsOf } = await import(`${DIST}/words.js`);
const { profileOf } = await import(`${DIST}/contents.js`);
const { CLASSES, PLACES, evidenceOf, nameFeatures, recognise, shares, useWeights } = await import(
  `${DIST}/understand.js`
);

const WIDTH = CLASSES.length;
const NONE = WIDTH - 1;
const indexOf = new Map(CLASSES.map((name, at) => [name, at]));
const ROOT = join(import.meta.dirname, '../../..');

/** Numbers that look random and are the same in every run. */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffle(order, random) {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
}

/** The wordings of the package, one for each normal form: `{ form, language, concepts }`. */
export function wordings() {
  const forms = new Map();
  for (const { of, language, words } of wordsOf('column'))
    for (const word of words) {
      const form = normalForm(word);
      if (form === '') continue;
      const known = forms.get(form) ?? { form, language, concepts: new Set() };
      forms.set(form, known);
      known.concepts.add(of);
    }
  return [...forms.values()].map((each) => ({ ...each, concepts: [...each.concepts] }));
}

const classesOf = (concepts) => concepts.map((concept) => indexOf.get(concept));

/** Examples of names. `leavesOut` says which wordings and which sources are not looked at. */
function namesToLearn({ wording = () => false, source = () => false, form: isHeld = () => false }) {
  const examples = [];
  const add = (form, concepts, weight) =>
    examples.push({ ...nameFeatures(form), classes: classesOf(concepts), weight });
  for (const each of wordings()) {
    if (wording(each.form)) continue;
    add(each.form, each.concepts, 1);
    for (const variant of variantsOf(each.form, each.concepts, each.language))
      add(variant, each.concepts, 0.5);
  }
  const seen = new Map();
  for (const { header, concepts, source: from } of readHeaders()) {
    const form = normalForm(header);
    if (form === '' || source(from) || isHeld(form)) continue;
    const key = `${form}\t${concepts.join('|')}`;
    const known = seen.get(key) ?? { form, concepts, count: 0 };
    known.count++;
    seen.set(key, known);
  }
  for (const { form, concepts, count } of seen.values())
    add(form, concepts, 0.7 * Math.min(2, Math.sqrt(count)));
  return examples;
}

const EPOCHS = 9;
/** Epochs after which only the largest weights are left, and learned on. */
const PRUNED_AFTER = 6;
const KEPT = 600_000;
const RATE = 0.6;

/** A softmax over the classes, learned by AdaGrad; bytes with one scale. */
function learnNames(examples) {
  const random = randomOf(7);
  const weights = new Float32Array(PLACES * WIDTH);
  const squares = new Float32Array(PLACES * WIDTH).fill(1e-3);
  const order = examples.map((_, at) => at);
  const active = new Int32Array(WIDTH);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const at of order) {
      const { places, values, classes, weight } = examples[at];
      const wrong = shares(sumsOf(weights, places, values));
      const right = classes.reduce((sum, each) => sum + wrong[each], 0);
      for (const each of classes)
        wrong[each] -= 0.5 / classes.length + (0.5 * wrong[each]) / (right || 1);
      let count = 0;
      for (let each = 0; each < WIDTH; each++)
        if (wrong[each] > 2e-4 || wrong[each] < -2e-4) active[count++] = each;
      for (let place = 0; place < places.length; place++) {
        const from = places[place] * WIDTH;
        const value = values[place] * weight;
        for (let each = 0; each < count; each++) {
          const index = from + active[each];
          if (squares[index] === 0) continue;
          const slope = wrong[active[each]] * value;
          squares[index] += slope * slope;
          weights[index] -= (RATE * slope) / Math.sqrt(squares[index]);
        }
      }
    }
    if (epoch + 1 === PRUNED_AFTER) prune(weights, squares);
  }
  return weights;
}

/** Leaves the largest weights; the others stay nothing. */
function prune(weights, squares) {
  const sizes = weights.map(Math.abs).sort();
  const least = sizes[sizes.length - KEPT];
  weights.forEach((weight, at) => {
    if (Math.abs(weight) >= least) return;
    weights[at] = 0;
    squares[at] = 0;
  });
}

function sumsOf(weights, places, values) {
  const sums = new Float64Array(WIDTH);
  for (let at = 0; at < places.length; at++) {
    const from = places[at] * WIDTH;
    for (let each = 0; each < WIDTH; each++) sums[each] += weights[from + each] * values[at];
  }
  return sums;
}

/** Steps between no weight and the largest ones: more make the file larger, and hardly a difference. */
const STEPS = 7;

function inBytes(weights) {
  const sizes = weights
    .filter((each) => each !== 0)
    .map(Math.abs)
    .sort();
  const scale = sizes[Math.floor(sizes.length * 0.995)] / STEPS;
  const names = Int8Array.from(weights, (each) =>
    Math.max(-127, Math.min(127, Math.round(each / scale))),
  );
  return { names, nameScale: scale };
}

const INPUTS = [
  ...['headers.tsv', 'train.mjs', 'variants.mjs'].map((file) => `test/suggest/headers/${file}`),
  ...['src/suggest/data/words.tsv', 'dist/suggest/understand.js', 'dist/suggest/words.js'],
];

/** What names mean, without a fold of the sources, of the wordings, or without any. Kept below `dist` until an input changes. */
export function nameModel(leftOut = {}) {
  const { sources, words, isStrict = false } = leftOut;
  const digest = createHash('sha256').update(JSON.stringify(leftOut));
  for (const file of INPUTS) digest.update(readFileSync(join(ROOT, file)));
  const folder = join(ROOT, 'dist/headers');
  const path = join(folder, digest.digest('hex').slice(0, 16));
  if (existsSync(path)) {
    const kept = readFileSync(path);
    return { nameScale: kept.readDoubleLE(0), names: new Int8Array(kept.subarray(8)) };
  }
  const isHeld = (form) => foldOf(form) === words;
  const held = new Set(
    isStrict ? wordings().flatMap(({ form }) => (isHeld(form) ? [form] : [])) : [],
  );
  const made = inBytes(
    learnNames(
      namesToLearn({
        wording: isHeld,
        source: (source) => foldOf(source) === sources,
        form: (form) => held.has(form),
      }),
    ),
  );
  mkdirSync(folder, { recursive: true });
  const scale = Buffer.alloc(8);
  scale.writeDoubleLE(made.nameScale);
  writeFileSync(path, Buffer.concat([scale, Buffer.from(made.names.buffer)]));
  return made;
}

const profile = (cells) => {
  const of = profileOf(cells.map((cell) => (cell === '' ? null : cell)));
  return { cells: of, phoneShare: of.share('phoneLike') };
};

/** The evidence for all columns of lists of these folds, with names understood by a model that knows none of their sources. */
export function evidenceOfLists(folds) {
  return folds.flatMap((fold) => {
    useWeights({ ...nameModel({ sources: fold }), likeness: 1, known: 0, evidence: {} });
    return readLists()
      .filter(({ source }) => foldOf(source) === fold)
      .flatMap((list) => {
        const columns = list.columns.map(({ header, cells }) => ({
          ...{ name: recognise(header), ...profile(cells) },
        }));
        return evidenceOf(columns).map((evidence, at) => ({
          ...evidence,
          classes: classesOf(list.columns[at].concepts),
        }));
      });
  });
}

/** Meanings that other things than contacts have as well: columns of no meaning get cells of theirs. */
const OF_ANYTHING = new Set(
  classesOf(
    'segment status comment created modified quantity budget score id tags product language source campaign priority tier topic due start renewal order attempts branch'.split(
      ' ',
    ),
  ),
);
const isOfCells = ([feature]) => !/^(?:[<>*]|always$|about$|others$)/.test(feature);

/**
 * Learns what cells and neighbours add to the names. The invented cells of columns without a meaning would be told from
 * all others at a glance, so most get those of other columns; and some columns are learned as empty.
 */
export function learnEvidence(examples, { epochs = 25, rate = 0.15, decay = 2e-4 } = {}) {
  const random = randomOf(5);
  const any = examples.filter(({ classes }) => !classes.includes(NONE));
  const other = any.filter(({ classes }) => classes.some((each) => OF_ANYTHING.has(each)));
  const cellsOf = (from) => from[Math.floor(random() * from.length)].features.filter(isOfCells);
  const rows = new Map();
  const rowOf = (feature) => {
    const known = rows.get(feature);
    if (known) return known;
    const made = { weights: new Float64Array(WIDTH), squares: new Float64Array(WIDTH).fill(0.1) };
    rows.set(feature, made);
    return made;
  };
  let likeness = 0.7;
  let known = 3;
  const order = examples.map((_, at) => at);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    const step = rate / (1 + epoch * 0.1);
    for (const at of order) {
      const example = examples[at];
      const chance = random();
      const isNone = example.classes.includes(NONE);
      const rest = example.features.filter((each) => !isOfCells(each));
      const cells =
        chance < (isNone ? 0.25 : 0.15)
          ? [['empty', 1]]
          : !isNone
            ? example.features.filter(isOfCells)
            : chance > 0.8
              ? example.features.filter(isOfCells)
              : cellsOf(chance < 0.3 ? any : other);
      const features = [...rest, ...cells].map(([feature, value]) => [rowOf(feature), value]);
      const logs = example.likeness.map((share) => Math.log(share + 1e-4));
      const sums = logs.map((log) => likeness * log);
      for (const each of example.known) sums[each] += known;
      for (const [{ weights }, value] of features)
        for (let each = 0; each < WIDTH; each++) sums[each] += weights[each] * value;
      const wrong = shares(sums);
      const right = example.classes.reduce((sum, each) => sum + wrong[each], 0);
      for (const each of example.classes) wrong[each] -= wrong[each] / (right || 1);
      likeness -= step * 0.02 * wrong.reduce((sum, each, index) => sum + each * logs[index], 0);
      known -= step * 0.3 * example.known.reduce((sum, each) => sum + wrong[each], 0);
      for (const [{ weights, squares }, value] of features)
        for (let each = 0; each < WIDTH; each++) {
          const slope = wrong[each] * value + decay * weights[each];
          squares[each] += slope * slope;
          weights[each] -= (step * slope) / Math.sqrt(squares[each]);
        }
    }
  }
  const evidence = Object.fromEntries(
    [...rows].map(([feature, { weights }]) => [feature, Float32Array.from(weights)]),
  );
  return { likeness, known, evidence };
}

/** The file of the weights: a line of JSON, then bytes. */
function pack({ names, nameScale, likeness, known, evidence }) {
  const rows = Object.entries(evidence).map(([feature, weights]) => {
    const scale = Math.max(1e-6, ...weights.map(Math.abs)) / 127;
    return { feature, scale, bytes: Int8Array.from(weights, (each) => Math.round(each / scale)) };
  });
  const scales = rows.map(({ feature, scale }) => [feature, Number(scale.toPrecision(6))]);
  const head = JSON.stringify({ nameScale, likeness, known, scales });
  const bytes = [names, ...rows.map((row) => row.bytes)].map((each) => Buffer.from(each.buffer));
  return brotliCompressSync(Buffer.concat([Buffer.from(`${head}\n`), ...bytes]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

export const ALL_FOLDS = Array.from({ length: FOLDS }, (_, fold) => fold);

if (import.meta.filename === process.argv[1]) {
  const weights = { ...nameModel(), ...learnEvidence(evidenceOfLists(ALL_FOLDS)) };
  const packed = pack(weights);
  writeFileSync(join(ROOT, 'src/suggest/data/headers.bin'), packed);
  console.log(`headers.bin: ${(packed.length / 1000).toFixed(0)} KB`);
}
