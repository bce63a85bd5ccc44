import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import type { compareRuns } from '@millrace/contracts/runs/compare';
import { summarizeDiff } from '@millrace/contracts/workflows/versions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Run } from '@millrace/persistence/generated/client';

type VersionChanges = NonNullable<Result<typeof compareRuns>['version']>;

/**
 * Compares the versions of two runs node by node, as the caller.
 * @returns null if the runs belong to different workflows, or a version no longer exists
 */
export async function compareVersions(
  rpc: RpcClient,
  context: Context,
  a: Run,
  b: Run,
): Promise<VersionChanges | null> {
  const none = { same: true, nodes: { added: [], removed: [], changed: [] }, more: 0, edges: 0 };
  if (a.versionId === b.versionId) return none;
  if (a.workflowId !== b.workflowId) return null;
  const versions = { workflow: a.workflowId, a: a.versionId, b: b.versionId };
  try {
    return await rpc.call(summarizeDiff, versions, context.envelope);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}
