-- The tables of a ledger in a file, as they are made, and what brings those of each earlier version to the next one.

-- made
-- A fact is written once and never changed.
CREATE TABLE IF NOT EXISTS run (
  id           TEXT PRIMARY KEY,
  inputs       TEXT NOT NULL,
  content      TEXT NOT NULL,
  mapping      TEXT NOT NULL,
  installation TEXT NOT NULL,
  campaign     INTEGER,
  settings     TEXT NOT NULL,
  out          TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  opened_at    INTEGER NOT NULL DEFAULT 0,
  state        TEXT,
  ended_at     INTEGER,
  rows         INTEGER,
  outcomes     TEXT,
  fingerprint  TEXT,
  parts        TEXT,
  worker       TEXT,
  relies       TEXT,
  settles_all  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS run_by_content ON run (content, created_at);
CREATE TABLE IF NOT EXISTS fact (
  id    INTEGER PRIMARY KEY,
  run   TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  chunk INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  data  TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS fact_by_chunk ON fact (run, chunk);
CREATE TABLE IF NOT EXISTS ledger (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- from version 1
ALTER TABLE run ADD COLUMN fingerprint TEXT;

-- from version 2
ALTER TABLE run ADD COLUMN opened_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN parts TEXT;
ALTER TABLE run ADD COLUMN worker TEXT;
ALTER TABLE run ADD COLUMN relies TEXT;
ALTER TABLE run ADD COLUMN settles_all INTEGER NOT NULL DEFAULT 0;
CREATE TABLE ledger (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
