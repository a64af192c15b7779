-- What the sandbox keeps. Clients are never removed, only marked, so their ids are never used twice; campaigns and
-- applications are, hence AUTOINCREMENT. A callback belongs to a client in a campaign, so that it can outlive its call
-- application (interface.md 4.10). SCHEMA_VERSION in store.ts is raised when the tables change.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  role_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  fields TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE contacts (
  client_id INTEGER NOT NULL REFERENCES clients (id),
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,
  value TEXT NOT NULL,
  key TEXT NOT NULL,
  type TEXT,
  active INTEGER NOT NULL,
  disabled INTEGER NOT NULL,
  PRIMARY KEY (client_id, kind, position)
) WITHOUT ROWID;
CREATE INDEX contacts_by_phone ON contacts (key) WHERE kind = 'phone';

CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  fields TEXT NOT NULL,
  state TEXT NOT NULL
);

CREATE TABLE applications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  max_call_count INTEGER NOT NULL,
  called_count INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'NONE',
  last_call INTEGER NOT NULL DEFAULT 0,
  next_call INTEGER NOT NULL,
  ccproject_call_status TEXT,
  client_call_status TEXT,
  UNIQUE (campaign_id, client_id)
);
CREATE INDEX applications_by_client ON applications (client_id);

CREATE TABLE callbacks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  fields TEXT NOT NULL,
  automatic INTEGER NOT NULL,
  status TEXT NOT NULL
);
CREATE INDEX callbacks_by_client ON callbacks (client_id, campaign_id);
CREATE INDEX callbacks_by_campaign ON callbacks (campaign_id);

CREATE TABLE group_tasks (
  group_id INTEGER NOT NULL,
  campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  task_priority INTEGER NOT NULL,
  user_selection_mode TEXT NOT NULL,
  preview_timeout INTEGER NOT NULL,
  PRIMARY KEY (group_id, campaign_id)
) WITHOUT ROWID;
CREATE INDEX group_tasks_by_campaign ON group_tasks (campaign_id);
