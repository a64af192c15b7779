/** Types of the records that are read ([MS-XLS] 2.3). All others are passed over. */
export const RECORD = {
  formula: 0x0006,
  endOfPart: 0x000a,
  dateSystem: 0x0022,
  encryption: 0x002f,
  continuation: 0x003c,
  sheetOptions: 0x0081,
  sheet: 0x0085,
  numbers: 0x00bd,
  richText: 0x00d6,
  cellFormat: 0x00e0,
  sharedTexts: 0x00fc,
  sharedText: 0x00fd,
  number: 0x0203,
  text: 0x0204,
  booleanOrError: 0x0205,
  formulaText: 0x0207,
  dimensions: 0x0200,
  row: 0x0208,
  shortNumber: 0x027e,
  format: 0x041e,
  beginOfPart: 0x0809,
} as const;

/** Version of Excel 97 to 2003 in the record that begins a part. */
export const EXCEL_97 = 0x0600;
