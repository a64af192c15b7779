import exceljs from 'exceljs';

/** exceljs' streaming reader, walking a workbook. */
let rows = 0;
const reader = new exceljs.stream.xlsx.WorkbookReader(process.argv[2], {
  sharedStrings: 'cache',
  styles: 'cache',
  worksheets: 'emit',
});
for await (const sheet of reader) for await (const row of sheet) rows += row.cellCount > 0 ? 1 : 0;
console.log(rows);
