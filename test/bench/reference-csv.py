"""Python's csv module, walking a file."""

import csv
import sys

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    print(sum(1 for _ in csv.reader(file)))
