import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';

/** The version that a WORKFLOW node's `workflow` leads to. */
export interface FoundVersion {
  version: string;
  workflow: string;
  author: string;
  space: string;
  /** The string is the id of this version, not of a workflow whose latest version counts. */
  isVersionId: boolean;
  /** The string is the id of a published version, which everybody in the vault may use. */
  isPublished: boolean;
  /** What the WORKFLOW nodes of this version name. */
  modules: string[];
  bytes: number;
}

export interface ModuleReference {
  /** As in the WORKFLOW node. */
  written: string;
  /**
   * The id of a version, or null. With a version, a workflow's id leads to its latest version at the time when the pin
   * was saved; with null, to its latest version now.
   */
  pin: string | null;
}

/** Finds the vault's versions that the references lead to, in the same order. */
export async function findModuleVersions(
  client: Pick<Transaction, '$queryRaw'>,
  vault: string,
  names: readonly ModuleReference[],
): Promise<(FoundVersion | undefined)[]> {
  const valid = names.map(({ written, pin }, at) => ({ written, pin, at })).filter(({ written }) => isId(written));
  if (valid.length === 0) return names.map(() => undefined);
  const ids = valid.map(({ written }) => written);
  const pins = valid.map(({ pin }) => pin);
  const places = valid.map(({ at }) => at);
  // Versions of the same millisecond are ordered by id, because ids grow with time.
  const rows = await client.$queryRaw<(FoundVersion & { at: number })[]>(Prisma.sql`
    SELECT k.at, v.id::text AS version, v.workflow_id::text AS workflow, v.author::text AS author,
      w.space_id::text AS space, named.id IS NULL AS "isVersionId", (named.id IS NULL AND v.snapshot) AS "isPublished",
      v.modules, octet_length(v.data) AS bytes
    FROM unnest(${ids}::uuid[], ${pins}::uuid[], ${places}::int[]) AS k(id, pin, at)
    LEFT JOIN workflows.workflow named ON named.id = k.id
    LEFT JOIN workflows.version pin ON pin.id = k.pin
    LEFT JOIN LATERAL (
      SELECT p.id FROM workflows.version p
      WHERE p.workflow_id = named.id AND (p.created_at, p.id) <= (pin.created_at, pin.id)
      ORDER BY p.number DESC LIMIT 1
    ) past ON true
    JOIN workflows.version v ON v.id = CASE
      WHEN named.id IS NULL THEN k.id WHEN k.pin IS NULL THEN named.latest_version_id ELSE past.id END
    JOIN workflows.workflow w ON w.id = v.workflow_id
    WHERE w.vault_id = ${vault}::uuid`);
  const found = new Map(rows.map(({ at, ...row }) => [at, row]));
  return names.map((_, at) => found.get(at));
}
