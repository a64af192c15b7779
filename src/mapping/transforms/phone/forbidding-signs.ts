/* eslint no-misleading-character-class: off -- single signs are looked for, and what is put around or behind them */

/** Signs that say what the words for it do: nobody may call, the number reaches no one, or not whom it should. */
const SIGNS: Readonly<Record<string, string>> = {
  // ❌ ❎ ✕ ✖ ✗ ✘ ☓ ⨯ ⊗ ⨂ ⮾ ⮿ ⛒ ⛝, and crosses of ballots and of buttons.
  crosses:
    '\u274c\u274e\u2715-\u2718\u2613\u2a2f\u2297\u2a02\u2bbe\u2bbf\u26d2\u26dd\u{1f5d9}\u{1f5f4}-\u{1f5f7}\u{1f7a8}-\u{1f7ae}',
  // 🚫 ⛔ 🛑 🛇 ⊘ ⦸ 🆖 🈲 🚷 ⏹, and the circle with a stroke that is put around a sign before it.
  prohibitions:
    '\u{1f6ab}\u26d4\u{1f6d1}\u{1f6c7}\u2298\u29b8\u{1f196}\u{1f232}\u{1f6b7}\u23f9\u20e0',
  // 📵 📴 🔇 🔕
  silence: '\u{1f4f5}\u{1f4f4}\u{1f507}\u{1f515}',
  // 🙅 👎
  gestures: '\u{1f645}\u{1f44e}',
  // † ☠ 💀 ⚰ 🪦
  deaths: '\u2020\u2620\u{1f480}\u26b0\u{1faa6}',
};

/** × before or behind a number, as in Japan; between digits, and before those of an extension, it is a sign of that. */
const CROSS_ALONE = '\\u00d7(?:(?!\\s*\\d)|(?<=^\\D*))';

/** What stands behind a sign and belongs to it: colours, genders, and how it is drawn. */
const VARIANT = '[\\u200d\\ufe0e\\ufe0f\\u2640\\u2642\\u{1f3fb}-\\u{1f3ff}]*';

export const FORBIDDING_SIGN = new RegExp(
  `(?:[${Object.values(SIGNS).join('')}]|${CROSS_ALONE})${VARIANT}`,
  'gu',
);
