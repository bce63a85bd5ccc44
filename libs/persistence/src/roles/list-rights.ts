import type { Client } from 'pg';
import type { Right } from './read-rights.js';
import type { ServiceLogin } from './service-login.js';
import { MESSAGE_TABLES, OWN_SEQUENCE, OWN_TABLE, SERVICE_RIGHTS } from './service-rights.js';

/** What exists in the schemas of the services. */
export interface Catalog {
  /** Names with their schema, such as `auth.user`, by schema. */
  tables: ReadonlyMap<string, readonly string[]>;
  sequences: ReadonlyMap<string, readonly string[]>;
  /** The database, if its owner grants the rights. */
  database: string | null;
}

export async function readCatalog(client: Pick<Client, 'query'>): Promise<Catalog> {
  const { rows } = await client.query<{ schema: string; name: string; kind: string }>(`
    SELECT nspname::text AS schema, nspname || '.' || relname AS name, relkind::text AS kind
    FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'S') ORDER BY 2`);
  const group = (kinds: string) =>
    new Map(
      [
        ...Map.groupBy(
          rows.filter(({ kind }) => kinds.includes(kind)),
          ({ schema }) => schema,
        ),
      ].map(([schema, objects]) => [schema, objects.map(({ name }) => name)] as const),
    );
  const owned = await client.query<{ name: string }>(
    `SELECT datname::text AS name FROM pg_database WHERE datname = current_database() AND pg_has_role(datdba, 'USAGE')`,
  );
  return { tables: group('rpv'), sequences: group('S'), database: owned.rows[0]?.name ?? null };
}

/** The rights that a service has according to `SERVICE_RIGHTS`. */
export function listRights({ service, role }: ServiceLogin, catalog: Catalog): Right[] {
  const rights = SERVICE_RIGHTS[service];
  const tables = { ...MESSAGE_TABLES, ...rights.tables };
  const own = (found: ReadonlyMap<string, readonly string[]>) =>
    rights.schemas.flatMap((schema) => found.get(schema) ?? []);
  const usual = own(catalog.tables).filter((table) => !(table in tables));
  const objects = [...Object.keys(tables), ...(rights.functions ?? [])];
  const schemas = new Set([...rights.schemas, ...objects.map(schemaOf)]);
  const on = (object: string, privileges: readonly string[]) =>
    privileges.map((privilege) => ({ privilege, object, role }));
  return [
    ...[...schemas].flatMap((schema) => on(`SCHEMA ${schema}`, ['USAGE'])),
    ...(rights.creates ? on(`SCHEMA ${rights.creates}`, ['USAGE', 'CREATE']) : []),
    ...usual.flatMap((table) => on(`TABLE ${quote(table)}`, OWN_TABLE)),
    ...Object.entries(tables).flatMap(([table, privileges]) => on(`TABLE ${quote(table)}`, privileges)),
    ...own(catalog.sequences).flatMap((sequence) => on(`SEQUENCE ${quote(sequence)}`, OWN_SEQUENCE)),
    ...(rights.sequences ?? []).flatMap((sequence) => on(`SEQUENCE ${quote(sequence)}`, ['USAGE'])),
    ...(rights.functions ?? []).flatMap((name) => on(`FUNCTION ${name}`, ['EXECUTE'])),
    ...(rights.hasTemporaryTables && catalog.database !== null
      ? on(`DATABASE ${quote(catalog.database)}`, ['TEMPORARY'])
      : []),
  ];
}

const schemaOf = (table: string): string => table.split('.')[0] ?? '';

/** As `format('%I')` of Postgres does; the only name of ours that is a keyword is `user`. */
const quote = (name: string): string =>
  name
    .split('.')
    .map((part) => (/^[a-z_][a-z0-9_]*$/.test(part) && part !== 'user' ? part : `"${part.replaceAll('"', '""')}"`))
    .join('.');
