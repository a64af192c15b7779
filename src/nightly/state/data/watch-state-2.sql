-- From version 1 to version 2.
ALTER TABLE taken RENAME TO taken_before;
CREATE TABLE taken (
  id INTEGER PRIMARY KEY, pickup TEXT NOT NULL, file TEXT NOT NULL, run TEXT, at INTEGER NOT NULL,
  kind TEXT NOT NULL, rows INTEGER NOT NULL, bad_rows INTEGER NOT NULL
);
INSERT INTO taken (pickup, file, run, at, kind, rows, bad_rows) SELECT * FROM taken_before ORDER BY rowid;
DROP TABLE taken_before;
CREATE INDEX taken_by_pickup ON taken (pickup, id);
CREATE TABLE claim (
  pickup TEXT NOT NULL, file TEXT NOT NULL, owner TEXT NOT NULL, here TEXT, until INTEGER NOT NULL,
  at INTEGER NOT NULL, version TEXT NOT NULL, checked INTEGER NOT NULL DEFAULT 0, noticed TEXT,
  stopped INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (pickup, file)
);
