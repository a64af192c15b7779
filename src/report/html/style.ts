import { OUTCOME_TRAITS } from '../../core/outcome.js';

/** The page's style: light or dark by the person's setting, and on paper. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --page: #ffffff; --card: #f6f8fa; --link: #0b57d0; --one: #0b57d0; --two: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #a2acb8; --line: #3d444d; --page: #0d1117; --card: #161b22; --link: #8ab4f8; --one: #8ab4f8; --two: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: .2rem 0 .6rem; font-size: 1.6rem; line-height: 1.3; } h2 { margin: 2.2rem 0 .7rem; font-size: 1.2rem; }
header p { margin: .4rem 0; } .run { color: var(--soft); } .badge { padding: .1rem .5rem; border: 1px solid var(--soft); border-radius: .3rem; }
code { font-size: .9em; } q { quotes: '“' '”'; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: .4rem 1.5rem; margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; overflow-wrap: anywhere; }
.bar { display: block; width: 100%; height: 28px; margin: 0 0 1rem; border-radius: .35rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .85rem; padding-bottom: .3rem; }
th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; max-width: 30rem; }
th { font-weight: 600; } .sum th, .sum td { border-bottom: 0; } .number { text-align: right; white-space: nowrap; }
.scroll { overflow-x: auto; } details .scroll { max-height: 20rem; overflow: auto; }
.mark { display: inline-block; width: .8em; height: .8em; margin-right: .5em; border-radius: .2em; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 1.5rem; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; } figure p { margin: .2rem 0; color: var(--soft); font-size: .85rem; }
summary { color: var(--link); cursor: pointer; font-size: .85rem; }
.u-legend { color: var(--text); } .u-legend th { border: 0; } .u-legend td { border: 0; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem; margin: .8rem 0; }
input, select, button { font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--soft); border-radius: .3rem; padding: .3rem .6rem; max-width: 100%; } #reason { max-width: min(26rem, 100%); }
th button { border: 0; padding: 0; background: none; font-weight: 600; cursor: pointer; white-space: nowrap; }
.reason { border: 0; padding: 0; background: none; color: var(--link); text-align: left; text-decoration: underline; cursor: pointer; } .reason[aria-pressed=true] { font-weight: 600; text-decoration: none; }
button:disabled { color: var(--soft); border-color: var(--line); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.notice { padding: .5rem .8rem; border-left: 4px solid var(--two); background: var(--card); }
#table { width: 100%; font-size: .9rem; }
@media screen and (max-width: 48rem) {
  body { padding: 1rem; } h1 { font-size: 1.3rem; } th, td { padding-right: .5rem; }
  .stacks, .stacks caption, .stacks thead, .stacks tbody, .stacks tr, .stacks td { display: block; width: auto; max-width: none; }
  .stacks thead th { display: inline-block; margin-right: 1rem; border: 0; } .stacks:not(#table) thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .stacks tbody tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .stacks td { display: flex; gap: .8rem; padding: .1rem 0; border: 0; text-align: left; white-space: normal; } .stacks td:empty { display: none; }
  .stacks td::before { content: attr(data-label); flex: 0 0 30%; color: var(--soft); } .stacks td > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  .controls label { max-width: 100%; } .controls select, .controls input { width: 100%; }
}
@media screen { .printed { display: none; } } .printed:empty { display: none; }
@page { size: A4 landscape; margin: 12mm; }
@media print { #table { font-size: 7pt; } #table th, #table td { padding: .15rem .5rem .15rem 0; } #table td { overflow-wrap: anywhere; } #table th button { font-size: inherit; } body { max-width: none; padding: 0; } .controls, details { display: none; } .scroll { overflow: visible; } #table caption { display: none; } thead { display: table-header-group; } tr { break-inside: avoid; } }
${Object.entries(OUTCOME_TRAITS)
  .map(
    ([name, { colour }]) =>
      `.mark.${name} { background: ${colour}; } rect.${name} { fill: ${colour}; }`,
  )
  .join('\n')}
`;
