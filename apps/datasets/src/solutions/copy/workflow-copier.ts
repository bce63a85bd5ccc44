import { Injectable, Logger } from '@nestjs/common';
import { ApiError, ForbiddenError, UnavailableError } from '@millrace/contracts/kit/api-error';
import { copyWorkflowForSolution, discardWorkflowCopy, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/** Ids of the copies, by the id of the original workflow. */
export type WorkflowCopyIds = ReadonlyMap<string, string>;

interface Target {
  space: string;
  project?: string | undefined;
}

/**
 * Copies the workflows that a copy of a solution needs. They belong to another service, so its database is not part of
 * the transaction here. Each copy is recorded before it is requested, and the transaction that creates the solution
 * deletes the records. A record that is still there after some minutes belongs to no solution, so `DiscardCopiesService`
 * discards that copy, wherever the failure happened.
 */
@Injectable()
export class WorkflowCopier {
  private readonly logger = new Logger(WorkflowCopier.name);

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Returns the workflows that still exist.
   * @throws ForbiddenError if the caller may not see one of them
   */
  async findExisting(workflows: readonly string[], context: Context): Promise<string[]> {
    const existing = await Promise.all(workflows.map((workflow) => this.exists(workflow, context)));
    return workflows.filter((_, at) => existing[at]);
  }

  private async exists(workflow: string, context: Context): Promise<boolean> {
    try {
      await this.rpc.call(locateWorkflow, { workflow }, context);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      // A caller with a role in all spaces would see the workflow if it existed.
      if (context.caller.spaces !== 'all') {
        throw new ForbiddenError(
          `Your role does not permit to copy workflow ${workflow} of this solution. Ask for a role in its space.`,
        );
      }
      return false;
    }
  }

  /** Copies workflows, then runs `work` with the ids of the copies. If anything fails, it discards the copies. */
  async withCopies<T>(
    workflows: readonly string[],
    target: Target,
    context: Context,
    work: (copies: WorkflowCopyIds) => Promise<T>,
  ): Promise<T> {
    const copies = new Map(workflows.map((workflow) => [workflow, newId()]));
    await this.record([...copies.values()], context);
    try {
      for (const [workflow, copy] of copies) {
        const { space, project } = target;
        await this.rpc.call(copyWorkflowForSolution, { workflow, copy, space, ...(project && { project }) }, context);
      }
      return await work(copies);
    } catch (error) {
      await this.discard([...copies.values()], context);
      throw error;
    }
  }

  private async record(copies: string[], { caller }: Context): Promise<void> {
    if (copies.length === 0) return;
    await this.database.transaction(async (tx) => {
      await tx.workflowCopy.createMany({ data: copies.map((id) => ({ id, ...inVault(caller) })) });
    });
  }

  /** Discards copies without waiting for the sweep. Their records stay, because a request to copy may still arrive. */
  private async discard(copies: string[], { caller, requestId }: Context): Promise<void> {
    const { vault } = caller;
    const requests = copies.map((copy) =>
      this.rpc.call(discardWorkflowCopy, { vault, copy }, { caller: null, requestId }),
    );
    for (const outcome of await Promise.allSettled(requests)) {
      if (outcome.status === 'fulfilled') continue;
      this.logger.warn({
        message: 'Discarding a workflow copy failed; the sweep retries',
        error: outcome.reason as unknown,
      });
    }
  }
}

/**
 * Claims copies for the solution that this transaction creates. After its commit they are no longer discarded.
 * @throws UnavailableError if a copy has been discarded
 */
export async function claimCopies(tx: Transaction, copies: WorkflowCopyIds): Promise<void> {
  const ids = [...copies.values()];
  const { count } = await tx.workflowCopy.deleteMany({ where: { id: { in: ids } } });
  if (count !== ids.length)
    throw new UnavailableError('Copying the solution took too long, so nothing was copied. Try again.');
}
