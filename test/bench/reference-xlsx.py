"""openpyxl in its read-only mode, walking a workbook."""

import sys

from openpyxl import load_workbook

book = load_workbook(sys.argv[1], read_only=True)
print(sum(1 for sheet in book for _ in sheet.iter_rows(values_only=True)))
