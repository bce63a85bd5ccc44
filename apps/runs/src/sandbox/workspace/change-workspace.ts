import { SANDBOX_SESSION_LIMITS } from '@millrace/contracts/runs/sandbox';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import type { Transaction } from '@millrace/persistence/database';

export interface Workspace {
  id: string;
  vaultId: string;
  userId: string;
  revision: number;
}

interface Size {
  entries: number;
  bytes: bigint;
  nameBytes: number;
}

/** A change would exceed a limit of the workspace. The message names the limit. */
export class WorkspaceFullError extends Error {
  override name = 'WorkspaceFullError';
}

const MIB = 1024 * 1024;

/** Locks a workspace until the transaction ends. Required to change it, or to read all of it. */
export async function lockWorkspace(tx: Transaction, id: string): Promise<Workspace> {
  const [workspace] = await tx.$queryRaw<Workspace[]>`
    SELECT id::text, vault_id::text AS "vaultId", user_id::text AS "userId", revision
    FROM runs.sandbox_workspace WHERE id = ${id}::uuid FOR UPDATE`;
  if (!workspace) throw new Error(`Workspace ${id} has been deleted`);
  return workspace;
}

/**
 * Deletes paths and writes entries. The caller makes sure that no file has the path of a folder.
 * @returns the new revision
 * @throws WorkspaceFullError
 */
export async function changeWorkspace(
  tx: Transaction,
  workspace: Workspace,
  { changed, removed }: { changed: readonly WorkspaceEntry[]; removed: readonly string[] },
): Promise<number> {
  if (changed.length + removed.length === 0) return workspace.revision;
  const { id } = workspace;
  const entries = JSON.stringify(changed);
  await tx.$executeRaw`
    DELETE FROM runs.sandbox_entry WHERE workspace_id = ${id}::uuid AND path = ANY(${removed}::text[])`;
  await tx.$executeRaw`
    INSERT INTO runs.sandbox_entry (workspace_id, path, kind, sha256, size, executable, target, modified_at)
    SELECT ${id}::uuid, path, kind, sha256, size, executable, target, now()
    FROM jsonb_to_recordset(${entries}::jsonb)
      AS c(path text, kind text, sha256 text, size int, executable boolean, target text)
    ON CONFLICT (workspace_id, path) DO UPDATE SET kind = excluded.kind, sha256 = excluded.sha256, size = excluded.size,
      executable = excluded.executable, target = excluded.target, modified_at = excluded.modified_at`;
  const size = await measure(tx, workspace);
  // Deleting is always allowed, even if the rest still exceeds a limit.
  if (changed.length > 0) await requireWithinLimits(tx, workspace, size);
  return workspace.revision + 1;
}

async function measure(tx: Transaction, { id }: Workspace): Promise<Size | undefined> {
  const [size] = await tx.$queryRaw<Size[]>`
    UPDATE runs.sandbox_workspace w SET revision = revision + 1, modified_at = now(), bytes = e.bytes
    FROM (SELECT count(*)::int AS entries, coalesce(sum(size), 0)::bigint AS bytes,
        coalesce(sum(octet_length(to_json(path)::text) + coalesce(octet_length(to_json(target)::text), 0)), 0)::int
          AS "nameBytes"
      FROM runs.sandbox_entry WHERE workspace_id = ${id}::uuid) e
    WHERE w.id = ${id}::uuid RETURNING e.entries, e.bytes, e."nameBytes"`;
  return size;
}

async function requireWithinLimits(
  tx: Transaction,
  { vaultId, userId }: Workspace,
  size: Size | undefined,
): Promise<void> {
  if (!size) return;
  if (size.entries > SANDBOX_SESSION_LIMITS.entries) {
    throw new WorkspaceFullError(`the workspace would hold more than ${SANDBOX_SESSION_LIMITS.entries} files`);
  }
  if (size.bytes > SANDBOX_SESSION_LIMITS.bytes)
    throw new WorkspaceFullError('the workspace would hold more than 1 GiB');
  if (size.nameBytes > SANDBOX_SESSION_LIMITS.nameBytes) {
    throw new WorkspaceFullError(
      `its paths and links would take more than ${SANDBOX_SESSION_LIMITS.nameBytes / MIB} MiB`,
    );
  }
  const { _sum } = await tx.sandboxWorkspace.aggregate({ where: { vaultId, userId }, _sum: { bytes: true } });
  if ((_sum.bytes ?? 0n) > SANDBOX_SESSION_LIMITS.userBytes) {
    throw new WorkspaceFullError('the workspaces of this user would hold more than 10 GiB together');
  }
}
