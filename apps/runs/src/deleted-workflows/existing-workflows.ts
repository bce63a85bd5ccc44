import { Injectable } from '@nestjs/common';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import { getWorkflowLocation } from '@millrace/contracts/workflows/exchange';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';

/** A repair must not take much longer while the workflows service is away. */
const LOCATE_TIMEOUT_MS = 2_000;

/** Finds out whether the workflows of runs still exist. */
@Injectable()
export class ExistingWorkflows {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Checks that the workflow of a run was not deleted, by itself or with its space. Call it before a transaction. While the
   * workflows service is away, the deletions that it has published decide.
   * @throws NotFoundError
   */
  async require({ vaultId, workflowId }: Pick<Run, 'vaultId' | 'workflowId'>): Promise<void> {
    const exists = (await this.locate(vaultId, workflowId)) ?? !(await this.isRecordedAsDeleted(workflowId));
    if (!exists) throw new NotFoundError(`Workflow ${workflowId}`);
  }

  /** Whether the workflow exists; null if the workflows service does not respond. */
  private async locate(vault: string, workflow: string): Promise<boolean | null> {
    const options = { timeoutMs: LOCATE_TIMEOUT_MS };
    try {
      const { place } = await this.rpc.call(getWorkflowLocation, { vault, workflow }, { caller: null }, options);
      return place !== null;
    } catch (error) {
      if (error instanceof ApiError && error.isServerError) return null;
      throw error;
    }
  }

  private async isRecordedAsDeleted(workflowId: string): Promise<boolean> {
    return (await this.database.client.deletedWorkflow.findUnique({ where: { workflowId } })) !== null;
  }
}
