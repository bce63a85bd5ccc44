import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { copyWorkflowForSolution, discardWorkflowCopy } from '@millrace/contracts/workflows/workflows';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { StoredValuesChecker } from '../../validation/stored-values-checker.js';
import { findVersion } from '../../versions/find-version.js';
import { findWorkflow } from '../../workflows/find-workflow.js';
import { removeWorkflow } from '../../workflows/remove-workflow.js';
import { copyVersion } from './copy-version.js';

/** Copies of workflows that the datasets service creates when it copies a solution. */
@Controller()
export class SolutionCopiesController {
  constructor(
    readonly database: Database,
    readonly storedValues: StoredValuesChecker,
  ) {}

  @OperationHandler(copyWorkflowForSolution)
  async copy(
    { body }: Input<typeof copyWorkflowForSolution>,
    context: Context,
  ): Promise<Result<typeof copyWorkflowForSolution>> {
    const { client } = this.database;
    const source = await findWorkflow(client, body.workflow, context);
    const where = { id: body.copy, ...inVault(context.caller) };
    const existing = await client.workflow.findFirst({ where, select: { id: true } });
    if (existing) return existing;
    const version = source.latestVersionId === null ? null : await findVersion(client, source, source.latestVersionId);
    const { description, longDescription } = source;
    const { copy: id, space, project, name = source.name } = body;
    const target = { id, space, project, name, description, longDescription, field: 'body.solution' };
    await copyVersion(this, version, target, context);
    return { id };
  }

  /** A copy that a user has run or saved to since is kept. */
  @OperationHandler(discardWorkflowCopy)
  async discard({ body }: Input<typeof discardWorkflowCopy>): Promise<Result<typeof discardWorkflowCopy>> {
    const unused = { lastRunAt: null, activeRuns: 0, versions: { none: { number: { gt: 1 } } } };
    return this.database.transaction(async (tx) => {
      try {
        await removeWorkflow(tx, { id: body.copy, vaultId: body.vault, ...unused });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      return null;
    });
  }
}
