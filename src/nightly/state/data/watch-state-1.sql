-- Tables for the state of watchers in a file.
CREATE TABLE taken (
  pickup TEXT NOT NULL, file TEXT NOT NULL, run TEXT, at INTEGER NOT NULL, kind TEXT NOT NULL,
  rows INTEGER NOT NULL, bad_rows INTEGER NOT NULL
);
CREATE INDEX taken_run ON taken (pickup, run);
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY, target TEXT NOT NULL, notice TEXT NOT NULL, at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL
);
CREATE TABLE mark (pickup TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (pickup, name));
