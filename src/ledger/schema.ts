/** The ledger's tables. A fact is written once and never changed. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS run (
    id          TEXT PRIMARY KEY,
    identity    TEXT NOT NULL,
    settings    TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS run_by_identity ON run (identity, created_at);
  CREATE TABLE IF NOT EXISTS fact (
    id    INTEGER PRIMARY KEY,
    run   TEXT NOT NULL REFERENCES run (id),
    chunk INTEGER NOT NULL,
    kind  TEXT NOT NULL,
    data  TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS fact_by_chunk ON fact (run, chunk);
`;

/** Raised when the tables change; a ledger of a later version is refused. */
export const SCHEMA_VERSION = 1;
