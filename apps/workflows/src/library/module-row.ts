import type { Result } from '@millrace/contracts/kit/operation';
import type { ModuleDefinition, ModuleType, getModule, updateModule } from '@millrace/contracts/workflows/library';
import { toNode } from '@millrace/library/to-node';
import { Prisma } from '@millrace/persistence/generated/client';

/** A module with the definition of its latest version. */
export interface ModuleRow {
  id: string;
  vaultId: string | null;
  name: string;
  description: string | null;
  type: ModuleType;
  category: string | null;
  sourceUrl: string | null;
  docLink: string | null;
  licenseInfo: string | null;
  author: string | null;
  latest: number;
  createdAt: Date;
  modifiedAt: Date;
  definition: ModuleDefinition;
  /** Absent for a module that was just written. */
  available?: boolean;
}

/** Columns of `FROM_MODULES` for a `ModuleRow`. */
export const MODULE_FIELDS = Prisma.sql`
  m.id, m.vault_id AS "vaultId", m.name, m.description, m.type, m.category, m.source_url AS "sourceUrl",
  m.doc_link AS "docLink", m.license_info AS "licenseInfo", m.author, m.latest, m.created_at AS "createdAt",
  m.modified_at AS "modifiedAt",
  (m.type <> 'MODULE' OR EXISTS (SELECT FROM workflows.snapshot s WHERE s.id = (v.definition->>'snapshot')::uuid)) AS available`;

/**
 * Size in bytes up to which a list shows a whole definition. A page of a hundred is then 7 MB, of 32 MB that the broker
 * accepts.
 */
const MAX_LISTED = 65_536;

const SHORT = Prisma.sql`v.definition - ARRAY['script', 'help', 'examples']`;

/**
 * The part of version `v`'s definition that lists show. A published workflow may have inputs with megabytes of text.
 */
export const LISTED_DEFINITION = Prisma.sql`
  CASE WHEN octet_length((${SHORT})::text) <= ${MAX_LISTED} THEN ${SHORT}
    ELSE ${SHORT} - ARRAY['inputs', 'outputs', 'container', 'packages'] END`;

/** Modules `m`, each with its latest version `v`. */
export const FROM_MODULES = Prisma.sql`
  workflows.library_module m
  JOIN workflows.library_module_version v ON v.module_id = m.id AND v.number = m.latest`;

/** The modules that a vault sees: the built-in ones and its own. */
export const visibleTo = (vault: string): Prisma.Sql => Prisma.sql`(m.vault_id IS NULL OR m.vault_id = ${vault}::uuid)`;

export const toModule = (row: ModuleRow): Result<typeof updateModule> => ({
  ...row.definition,
  id: row.id,
  name: row.name,
  ...(row.description && { description: row.description }),
  type: row.type,
  ...(row.category && { category: row.category }),
  ...(row.author !== null && { author: row.author }),
  ...(row.vaultId !== null && { vault: row.vaultId, vault_info: { id: row.vaultId } }),
  built_in: row.vaultId === null,
  version: row.latest,
  ...(row.sourceUrl && { source_url: row.sourceUrl }),
  ...(row.docLink && { doc_link: row.docLink }),
  ...(row.licenseInfo && { license_info: row.licenseInfo }),
  ...(row.available === false && { available: false }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});

export const toModuleWithNode = (row: ModuleRow): Result<typeof getModule> => ({
  ...toModule(row),
  node: toNode({ ...row.definition, id: row.id, name: row.name, type: row.type }),
});
