import ts from 'typescript';

/**
 * Leaves one language in the messages of the page: `{ en: …, ru: … }` loses the other ones, so that a browser loads
 * what its person reads. The script of a page is a fifth smaller.
 */
export function oneLanguage(language, languages) {
  return {
    name: 'one language',
    transform: {
      filter: { id: /[\\/]src[\\/]web[\\/]page[\\/].*\.tsx?$/ },
      handler: (code, id) => {
        const cuts = otherLanguages(parse(id, code), language, languages);
        // From the end, so that the places before stay right.
        return {
          code: cuts.reduceRight((text, [from, to]) => text.slice(0, from) + text.slice(to), code),
        };
      },
    },
  };
}

function parse(id, code) {
  const kind = id.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true, kind);
}

/** From where to where the texts in other languages stand, in the order of the file. */
function otherLanguages(file, language, languages) {
  const cuts = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node) && isMessage(node, languages))
      for (const property of node.properties) {
        if (property.name.text === language) visit(property);
        else cuts.push([property.getFullStart(), endWithComma(property, file.text)]);
      }
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return cuts;
}

function isMessage({ properties }, languages) {
  const names = new Set(properties.map(({ name }) => name?.text));
  return names.size === languages.length && languages.every((language) => names.has(language));
}

function endWithComma(property, text) {
  const comma = /^\s*,/.exec(text.slice(property.end));
  return property.end + (comma ? comma[0].length : 0);
}
