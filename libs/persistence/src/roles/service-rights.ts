/** The services that have a role in Postgres. */
export const DATABASE_SERVICES = ['auth', 'workflows', 'runs', 'datasets', 'billing', 'notifications'] as const;
export type DatabaseService = (typeof DATABASE_SERVICES)[number];

/** Rights beyond those on the tables of the service's own schema. `UPDATE (column)` also permits to lock rows. */
export interface ServiceRights {
  /** Own schemas; the service reads and writes all their tables, except those in `tables`. */
  schemas: readonly string[];
  /** By table. Instead of the usual rights if the table is in an own schema. */
  tables?: Readonly<Record<string, readonly string[]>>;
  /** Sequences of other schemas that fill the tables. */
  sequences?: readonly string[];
  functions?: readonly string[];
  /** Schema of tables that the service creates at run time, and owns. */
  creates?: string;
  /** The service uses temporary tables. */
  hasTemporaryTables?: boolean;
}

/** Rights on a table of an own schema. With MAINTAIN, an administrator rebuilds its indexes. */
export const OWN_TABLE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MAINTAIN'] as const;
/** Rights on a sequence of an own schema. */
export const OWN_SEQUENCE = ['USAGE', 'SELECT'] as const;

/** Rows are added, and deleted after their retention. The update of the key only permits to lock them. */
const appendOnly = (key: string) => ['SELECT', 'INSERT', 'DELETE', 'MAINTAIN', `UPDATE (${key})`];

/** For rows that the policies below select. */
export const MESSAGE_TABLES: Readonly<Record<string, readonly string[]>> = {
  'messaging.outbox': ['SELECT', 'INSERT', 'DELETE', 'UPDATE (relayed_at)'],
  'messaging.inbox': ['SELECT', 'INSERT', 'DELETE', 'UPDATE (created_at)'],
  'messaging.relayed_stream': ['SELECT', 'INSERT', 'UPDATE (incarnation)', 'UPDATE (seen_at)'],
  'messaging.dead_letter': ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  'messaging.idempotent_request': [
    ...['SELECT', 'INSERT', 'DELETE'],
    ...['request_hash', 'response', 'locked_until', 'created_at'].map((column) => `UPDATE (${column})`),
  ],
};

/** Which rows of a shared table belong to a service, in the words in which Postgres shows the condition. */
export const MESSAGE_POLICIES: Readonly<Record<string, (service: DatabaseService) => string>> = {
  'messaging.outbox': (service) => `(service = '${service}'::text)`,
  'messaging.inbox': (service) => `starts_with(consumer, '${service}_'::text)`,
  'messaging.relayed_stream': (service) => `(stream = '${service}'::text)`,
  // Administrators retry and drop those of all services by operations of auth.
  'messaging.dead_letter': (service) => (service === 'auth' ? 'true' : `(service = '${service}'::text)`),
  'messaging.idempotent_request': (service) => `starts_with(operation, '${service}.'::text)`,
};

/** Which rows a service may write, if more than it may read: auth enqueues the dead jobs of other services again. */
export const WRITE_POLICIES: Readonly<Record<string, Partial<Record<DatabaseService, string>>>> = {
  'messaging.outbox': { auth: `((service = 'auth'::text) OR (kind = 'job'::text))` },
};

/** Rights that triggers need which record deleted references to stored objects. */
const REFERS_TO_CONTENTS = {
  tables: { 'contents.released': ['INSERT (sha256)', 'INSERT (size)'] },
  sequences: ['contents.released_id_seq'],
  functions: ['contents.claim(text[])'],
};

/** The storage of a vault counts what both services store. */
const MEASURES_VAULTS = ['runs.stored_bytes_of(uuid)', 'workflows.file_bytes_of(uuid)'];

/** What each service may do. `migrate` grants exactly this, and revokes what is not listed. */
export const SERVICE_RIGHTS: Readonly<Record<DatabaseService, ServiceRights>> = {
  auth: { schemas: ['auth'], tables: { 'auth.audit_entry': appendOnly('id') } },
  workflows: {
    schemas: ['workflows'],
    ...REFERS_TO_CONTENTS,
    functions: [...REFERS_TO_CONTENTS.functions, ...MEASURES_VAULTS],
  },
  // The collector of stored objects is a part of this service.
  runs: {
    schemas: ['runs', 'contents'],
    functions: ['contents.claim(text[])', 'contents.find_references(text[])', ...MEASURES_VAULTS],
  },
  datasets: {
    schemas: ['datasets'],
    ...REFERS_TO_CONTENTS,
    functions: [...REFERS_TO_CONTENTS.functions, 'datasets.claim_tables()'],
    creates: 'live',
    hasTemporaryTables: true,
  },
  billing: {
    schemas: ['billing'],
    tables: { 'billing.usage_entry': appendOnly('subjob'), 'billing.plan_change': ['SELECT', 'INSERT', 'MAINTAIN'] },
  },
  notifications: { schemas: ['notifications'] },
};
