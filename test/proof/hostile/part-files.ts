import { relationships, styles, workbook } from '../../reading/xlsx/workbook.js';
import { book, BOOK, BOOK_RELATIONSHIPS, leadRows, RELATIONSHIPS, SHEET, STYLES } from './book.js';
import { file, made, type HostileFile } from './file.js';

const rows = leadRows(20);

/** Relationships that lead in circles, outside, or nowhere. */
export function wickedRelationships(): HostileFile[] {
  const ofBook = (name: string, all: readonly (readonly [string, string, string])[]) =>
    file(`a sheet that lies ${name}`, book(rows, { [BOOK_RELATIONSHIPS]: relationships(all) }));
  const ofPackage = (name: string, target: string) =>
    file(
      `a workbook that lies ${name}`,
      book(rows, { [RELATIONSHIPS]: relationships([['rId1', 'officeDocument', target]]) }),
    );
  return [
    ofBook('in the workbook', [['rId1', 'worksheet', 'workbook.xml']]),
    ofBook('in its own relationships', [['rId1', 'worksheet', '_rels/workbook.xml.rels']]),
    ofBook('in the shared strings', [
      ['rId1', 'worksheet', 'sharedStrings.xml'],
      ['rId2', 'sharedStrings', 'worksheets/sheet1.xml'],
    ]),
    ofBook('in the styles', [
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'styles', 'worksheets/sheet1.xml'],
    ]),
    ofBook('outside', [['rId1', 'worksheet', '../../../../../etc/passwd']]),
    ofBook('in a device', [['rId1', 'worksheet', '/dev/zero']]),
    ofBook('on the net', [['rId1', 'worksheet', 'http://127.0.0.1:1/sheet1.xml']]),
    ofBook('in a file address', [['rId1', 'worksheet', 'file:///etc/passwd']]),
    ofBook('under a wicked escape', [['rId1', 'worksheet', '%2e%2e/%00%ff']]),
    ofBook('nowhere', [['rId1', 'worksheet', '']]),
    ofBook('in two places', [
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId1', 'worksheet', 'x.xml'],
    ]),
    ofBook('in no relationship', [['rId9', 'worksheet', 'worksheets/sheet1.xml']]),
    ofBook('under a name of control characters', [['rId1', 'worksheet', '\u001b[2J\u0007.xml']]),
    made('a sheet that lies under a name of 1 MB', () =>
      book(rows, {
        [BOOK_RELATIONSHIPS]: relationships([['rId1', 'worksheet', 'x'.repeat(2 ** 20)]]),
      }),
    ),
    ofPackage('in its sheet', 'xl/worksheets/sheet1.xml'),
    ofPackage('in its relationships', '_rels/.rels'),
    ofPackage('nowhere', ''),
    ofPackage('outside', '../../etc/passwd'),
    ofPackage('in a binary part', 'xl/workbook.bin'),
  ];
}

const NAMES = [
  '',
  ' ',
  'x'.repeat(31),
  'x'.repeat(2 ** 20),
  '\u001b[2J\u001b[31mred\u0007',
  'two\nlines',
  '../../etc/passwd',
  'a/b\\c*d?e:f[g]',
  'History',
  "it's",
  "'quoted'",
  '__proto__',
  '=1+1',
  '\u202eright to left',
  '😀'.repeat(16),
  '_xD800_',
  '_x0000__x001B_[31m',
  '&amp;&lt;&quot;',
];

/** Sheets that are called strangely, or are not there. */
export function wickedSheets(): HostileFile[] {
  const sheets = (xml: string, data = rows) => book(data, { [BOOK]: workbook(xml) });
  const bad = rows.replaceAll('+7916', 'none');
  const quoted = (name: string) => name.replaceAll('"', '&quot;');
  return [
    ...NAMES.flatMap((name, at) => {
      const tab = `<sheet name="${quoted(name)}" sheetId="1" r:id="rId1"/>`;
      return [
        made(`a sheet of a wicked name ${at + 1}`, () => sheets(tab)),
        // Its rejects have a sheet of that name.
        made(`a sheet of a wicked name ${at + 1} with bad rows`, () => sheets(tab, bad)),
        // Its names are listed, since none can be read.
        made(`hidden sheets of a wicked name ${at + 1}`, () =>
          sheets(tab.replace('/>', ' state="hidden"/>').repeat(30)),
        ),
      ];
    }),
    file('no sheets', sheets('')),
    file('a sheet without a name', sheets('<sheet sheetId="1" r:id="rId1"/>')),
    file('a sheet without a relationship', sheets('<sheet name="a" sheetId="1"/>')),
    file('sheets of one name', sheets('<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(50))),
    made('90,000 sheets', () => sheets('<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(90_000))),
    file('styles that are a sheet', book(rows, { [STYLES]: '<worksheet/>' })),
    file('styles that are cut off', book(rows, { [STYLES]: styles('yyyy').slice(0, -30) })),
    file('a sheet that is no part', book(rows, { [SHEET]: null })),
  ];
}
