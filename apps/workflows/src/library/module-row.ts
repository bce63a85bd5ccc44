import type { ModuleDefinition, ModuleType } from '@millrace/contracts/workflows/library';
import { Prisma } from '@millrace/persistence/generated/client';

/** A module with what its latest version holds. */
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
}

export const MODULE_FIELDS = Prisma.sql`
  m.id, m.vault_id AS "vaultId", m.name, m.description, m.type, m.category, m.source_url AS "sourceUrl",
  m.doc_link AS "docLink", m.license_info AS "licenseInfo", m.author, m.latest, m.created_at AS "createdAt",
  m.modified_at AS "modifiedAt"`;

/** Modules `m`, each with its latest version `v`. */
export const FROM_MODULES = Prisma.sql`
  workflows.library_module m
  JOIN workflows.library_module_version v ON v.module_id = m.id AND v.number = m.latest`;

/** What a vault sees of the library: what is built in, and its own. */
export const seenBy = (vault: string): Prisma.Sql => Prisma.sql`(m.vault_id IS NULL OR m.vault_id = ${vault}::uuid)`;
