import { Injectable, Logger } from '@nestjs/common';
import { ApiError, ForbiddenError, UnavailableError } from '@millrace/contracts/kit/api-error';
import { copyWorkflowForSolution, discardWorkflowCopy, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/** Ids of workflows and of their copies. */
export type WorkflowCopyIds = ReadonlyMap<string, string>;

interface Target {
  space: string;
  project?: string | undefined;
}

/**
 * Copies of workflows that a copy of a solution needs, in a service whose database is not in our transaction. Each is
 * noted before it is asked for. The transaction that makes the solution takes the notes away; what is noted still after
 * a while is of no solution, and is discarded (`DiscardCopies`), whatever died when.
 */
@Injectable()
export class WorkflowCopier {
  private readonly logger = new Logger(WorkflowCopier.name);

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Those workflows that are there still.
   * @throws ForbiddenError where the caller may not see one
   */
  async findExisting(workflows: readonly string[], context: Context): Promise<string[]> {
    const seen = await Promise.all(workflows.map((workflow) => this.exists(workflow, context)));
    return workflows.filter((_, at) => seen[at]);
  }

  private async exists(workflow: string, context: Context): Promise<boolean> {
    try {
      await this.rpc.call(locateWorkflow, { workflow }, context);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      // Whoever enters every space would see it.
      if (context.caller.spaces !== 'all') throw new ForbiddenError('Your role does not permit to copy its workflow');
      return false;
    }
  }

  /** Copies workflows, and has `work` make what they are for. Where anything fails no copy is left. */
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

  /** At once, so that nobody sees them. The notes stay: an order to copy may still be on its way. */
  private async discard(copies: string[], { caller, requestId }: Context): Promise<void> {
    const { vault } = caller;
    const asked = copies.map((copy) =>
      this.rpc.call(discardWorkflowCopy, { vault, copy }, { caller: null, requestId }),
    );
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === 'fulfilled') continue;
      this.logger.warn({ message: 'The copy of a workflow is discarded later', error: outcome.reason as unknown });
    }
  }
}

/**
 * Takes copies over: from this transaction's commit on they belong to what it makes.
 * @throws Unavailable if one was discarded meanwhile
 */
export async function claimCopies(tx: Transaction, copies: WorkflowCopyIds): Promise<void> {
  const ids = [...copies.values()];
  const { count } = await tx.workflowCopy.deleteMany({ where: { id: { in: ids } } });
  if (count !== ids.length) throw new UnavailableError('The copy took too long, and nothing was copied. Try again.');
}
