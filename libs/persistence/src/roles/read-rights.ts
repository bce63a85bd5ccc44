import type { Client } from 'pg';

/** A right as Postgres words it: `SELECT`, `TABLE "auth"."user"`, and the role that has it. */
export interface Right {
  privilege: string;
  object: string;
  role: string;
}

/** Rights on what the roles own are not listed: an owner has them anyway. */
const SELECT_RIGHTS = `
  WITH roles AS (SELECT oid, rolname::text AS role FROM pg_roles WHERE rolname = ANY($1)), objects AS (
    SELECT format('SCHEMA %I', nspname) AS object, nspowner AS owner, nspacl AS acl, NULL::text AS attribute FROM pg_namespace
    UNION ALL SELECT format('%s %I.%I', CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, nspname, relname),
      relowner, relacl, NULL FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    UNION ALL SELECT format('TABLE %I.%I', nspname, relname), relowner, attacl, attname::text
      FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
      WHERE attacl IS NOT NULL
    UNION ALL SELECT 'FUNCTION ' || oid::regprocedure, proowner, proacl, NULL FROM pg_proc
    UNION ALL SELECT format('DATABASE %I', datname), datdba, datacl, NULL FROM pg_database WHERE datname = current_database())
  SELECT a.privilege_type || coalesce(' (' || quote_ident(o.attribute) || ')', '') AS privilege, o.object, r.role
  FROM objects o, aclexplode(o.acl) a JOIN roles r ON r.oid = a.grantee WHERE o.owner <> a.grantee`;

/** The rights that are granted to these roles in this database. */
export async function readRights(client: Pick<Client, 'query'>, roles: readonly string[]): Promise<Right[]> {
  return (await client.query<Right>(SELECT_RIGHTS, [roles])).rows;
}

/** Identifies a right in a set. */
export const keyOf = ({ privilege, object, role }: Right): string => `${privilege} ON ${object} TO ${role}`;
