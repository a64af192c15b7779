-- The tables of a ledger in PostgreSQL: for each version, what brings those of the one before to it.

-- version 1
-- The tables of version 1. A fact is written once and never changed; its number counts those of its run without a
-- gap. `cluster`: which server, and which of its histories, has confirmed the facts of the run.
CREATE TABLE cardline.ledger (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE cardline.run (
  place        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id           text NOT NULL UNIQUE,
  inputs       text NOT NULL,
  content      text NOT NULL,
  mapping      text NOT NULL,
  installation text NOT NULL,
  campaign     bigint,
  settings     text NOT NULL,
  out          text NOT NULL,
  created_at   bigint NOT NULL,
  opened_at    bigint NOT NULL,
  state        text,
  ended_at     bigint,
  rows         bigint,
  outcomes     text,
  fingerprint  text,
  parts        text,
  worker       text,
  relies       text,
  settles_all  smallint NOT NULL DEFAULT 0,
  cluster      text NOT NULL
);
CREATE TABLE cardline.fact (
  run    bigint NOT NULL REFERENCES cardline.run (place) ON DELETE CASCADE,
  number bigint NOT NULL,
  chunk  bigint NOT NULL,
  kind   text NOT NULL,
  data   text NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE INDEX fact_by_chunk ON cardline.fact (run, chunk);
CREATE TABLE cardline.lease (
  run    text PRIMARY KEY,
  epoch  bigint NOT NULL,
  until  timestamptz NOT NULL
);

-- version 2
-- Runs that several machines share, since version 2. `epoch` is that of the lease with which the run is submitted,
-- `facts` how many it has, `pieces` how many there are, once that is known. Of a piece, `data` is what is to be sent,
-- until it has ended; its lease is as that of a run. `counts` is how its rows have ended so far, `outcomes` how they
-- ended. A worker is `seen` while it is there.
CREATE TABLE cardline.shared (
  run    bigint PRIMARY KEY REFERENCES cardline.run (place) ON DELETE CASCADE,
  epoch  bigint NOT NULL,
  plan   text NOT NULL,
  facts  bigint NOT NULL,
  pieces bigint
);
CREATE TABLE cardline.piece (
  run      bigint NOT NULL REFERENCES cardline.shared (run) ON DELETE CASCADE,
  number   bigint NOT NULL,
  chunks   bigint NOT NULL,
  rows     bigint NOT NULL,
  data     bytea,
  epoch    bigint NOT NULL DEFAULT 0,
  until    timestamptz NOT NULL DEFAULT '-infinity',
  worker   text,
  counts   text,
  outcomes text,
  requests bigint NOT NULL DEFAULT 0,
  retries  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (run, number)
);
CREATE TABLE cardline.worker (
  id   text PRIMARY KEY,
  data text NOT NULL,
  seen timestamptz NOT NULL
);

-- version 3
-- The pace of contact centers, by their address, since version 3: who sends there, and how much of what is permitted
-- each may use. A few hundred bytes for each, written some times a second.
CREATE TABLE cardline.pace (
  center text PRIMARY KEY,
  state  text NOT NULL
) WITH (fillfactor = 50);

-- version 4
-- What watchers of several machines share, since version 4.
CREATE TABLE cardline.watch_taken (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pickup   text NOT NULL,
  file     text NOT NULL,
  run      text,
  at       bigint NOT NULL,
  kind     text NOT NULL,
  rows     bigint NOT NULL,
  bad_rows bigint NOT NULL
);
CREATE INDEX watch_taken_by_pickup ON cardline.watch_taken (pickup, id);
CREATE TABLE cardline.watch_outbox (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target   text NOT NULL,
  notice   text NOT NULL,
  at       bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at  bigint NOT NULL
);
CREATE TABLE cardline.watch_mark (
  pickup text NOT NULL,
  name   text NOT NULL,
  value  text NOT NULL,
  PRIMARY KEY (pickup, name)
);
CREATE TABLE cardline.watch_claim (
  pickup  text NOT NULL,
  file    text NOT NULL,
  owner   text NOT NULL,
  here    text,
  until   bigint NOT NULL,
  at      bigint NOT NULL,
  version text NOT NULL,
  checked smallint NOT NULL DEFAULT 0,
  noticed text,
  stopped smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (pickup, file)
);

-- version 5
-- Limits that hold over all pieces of a shared run, since version 5. Of its rows, the submitter has counted
-- `rejected` ones, and `failed` have ended badly since, with those that are `unknown` in each piece; `NULL`: nobody
-- has counted what was there before. More than `allowed` stop it. `gate`: pieces from this number on are not given
-- out, since `canary` clients have to pass first, of which `canary_failed` failed in pieces that have ended; 0: the
-- canary did not pass; -1: a person knows it.
ALTER TABLE cardline.shared
  ADD COLUMN rejected      bigint NOT NULL DEFAULT 0,
  ADD COLUMN failed        bigint,
  ADD COLUMN allowed       bigint,
  ADD COLUMN gate          bigint,
  ADD COLUMN canary        bigint NOT NULL DEFAULT 0,
  ADD COLUMN canary_failed bigint NOT NULL DEFAULT 0;
ALTER TABLE cardline.piece ADD COLUMN unknown bigint NOT NULL DEFAULT 0;

-- version 6
-- The order of rows of one client over pieces, since version 6. A piece that `waits` has rows of clients of whom
-- earlier pieces have some, and begins when these have ended, and nothing of them can still arrive (`settled`).
ALTER TABLE cardline.piece
  ADD COLUMN waits   boolean NOT NULL DEFAULT false,
  ADD COLUMN settled timestamptz;

-- version 7
-- Since version 7: whether whoever submits a run has something left to do when its pieces have ended, and ends it.
ALTER TABLE cardline.shared ADD COLUMN stays boolean NOT NULL DEFAULT false;
