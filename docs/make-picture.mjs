/**
 * npm run build && node docs/make-picture.mjs
 * Draws docs/picture.svg: an import of samples/leads.csv into the sandbox and its report, as a terminal shows them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist/command/main.js');

const COLUMNS = 100;
const REASONS = 8;
const CHARACTER = { width: 7.83, height: 19 };
const MARGIN = { side: 22, top: 54, bottom: 18 };
const COLOURS = {
  ground: '#11161d',
  bar: '#1d252f',
  text: '#c9d4df',
  prompt: '#7ee787',
  good: '#7ee787',
  bad: '#ffa198',
  left: '#e3b341',
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cardline-picture-')));
try {
  const { lines, run } = importSample();
  writeFileSync(join(root, 'docs/picture.svg'), drawing([...lines, '', ...reportLines(run)]));
} finally {
  rmSync(folder, { recursive: true });
}

function importSample() {
  for (const name of ['samples', 'mappings'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const files = 'samples/leads.csv -m mappings/leads.yaml -i mappings/installation.yaml';
  const lines = shown(`import ${files} --sandbox`);
  const run = /^run (\S+) finished$/m.exec(lines.join('\n'))?.[1];
  if (run === undefined) throw new Error(`no run in:\n${lines.join('\n')}`);
  return { lines, run };
}

/** The report without its head, and its most frequent reasons. */
function reportLines(run) {
  const [prompt, ...report] = shown(`report ${run} --format text`);
  const reasons = report.slice(report.indexOf('reasons'));
  return [prompt, ...reasons.slice(0, REASONS + 1)];
}

/** What a person types and then sees, with paths as they are from the folder. */
function shown(line) {
  const args = line.split(' ');
  const { stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  const text = `${stderr}${stdout}`.replaceAll(`${folder}/`, '').trimEnd();
  return [`$ cardline ${line}`, ...text.split('\n')];
}

function drawing(lines) {
  const width = Math.round(2 * MARGIN.side + COLUMNS * CHARACTER.width);
  const height = MARGIN.top + lines.length * CHARACTER.height + MARGIN.bottom;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${22 + 20 * at}" cy="18" r="6" fill="${colour}"/>`,
  );
  const texts = lines.map((line, at) => {
    const y = MARGIN.top + (at + 0.75) * CHARACTER.height;
    return `<text x="${MARGIN.side}" y="${y}" fill="${colourOf(line)}">${escaped(cut(line))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>An import of 1,240 rows with cardline, and the reasons why some rows did not end well</title>
<style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }</style>
<rect width="${width}" height="${height}" rx="10" fill="${COLOURS.ground}"/>
<path d="M0 36V10A10 10 0 0 1 10 0H${width - 10}A10 10 0 0 1 ${width} 10V36Z" fill="${COLOURS.bar}"/>
${[...dots, ...texts].join('\n')}
</svg>
`;
}

function colourOf(line) {
  if (line.startsWith('$')) return COLOURS.prompt;
  if (/^ {2}(enqueued|created)\b/.test(line)) return COLOURS.good;
  if (/\b(rejected|failed|enqueue_failed)\b/.test(line)) return COLOURS.bad;
  return /\bskipped\b/.test(line) ? COLOURS.left : COLOURS.text;
}

function cut(line) {
  return line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
