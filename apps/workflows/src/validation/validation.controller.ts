import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { findVersion } from '../versions/find-version.js';
import { findWorkflow } from '../workflows/find-workflow.js';
import { inspectData } from './inspect-data.js';
import { inspectUnsaved } from './inspect-unsaved.js';

const STORED = { stored: true, warnings: true };

@Controller()
export class ValidationController {
  constructor(private readonly database: Database) {}

  @OperationHandler(validateWorkflow)
  async validate(
    { params, body }: Input<typeof validateWorkflow>,
    context: Context,
  ): Promise<Result<typeof validateWorkflow>> {
    const { client } = this.database;
    if (body.data !== undefined && body.version_id !== undefined) {
      throw new ValidationError({ 'body.version_id': 'cannot be combined with `data`; omit one of the two' });
    }
    const workflow = await findWorkflow(client, params.id, context);
    if (body.data === undefined) {
      const stored = await this.readData(workflow, body.version_id ?? 'latest');
      const { errors, warnings } = await inspectData(client, stored, workflow, context.caller, STORED);
      return { errors, warnings };
    }
    return inspectUnsaved(client, body.data, workflow, context.caller);
  }

  /** A workflow without a version counts as one without nodes. */
  private async readData(workflow: { id: string; latestVersionId: string | null }, version: string): Promise<unknown> {
    if (version === 'latest' && workflow.latestVersionId === null) return {};
    return JSON.parse((await findVersion(this.database.client, workflow, version)).data);
  }
}
