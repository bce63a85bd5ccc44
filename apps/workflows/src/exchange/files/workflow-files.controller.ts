import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { saveWorkflowFile, validateWorkflowFile } from '@millrace/contracts/workflows/workflow-files';
import type { Problem } from '@millrace/graph/check/problem';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { findSpace } from '../../spaces/find-space.js';
import type { InspectedWorkflow } from '../../validation/inspect-data.js';
import { inspectUnsaved } from '../../validation/inspect-unsaved.js';
import { toVersionSummary } from '../../versions/find-version.js';
import { VersionSaver } from '../../versions/saving/version-saver.js';
import { findWorkflow } from '../../workflows/find-workflow.js';
import { YamlThreads } from '../yaml/yaml-threads.js';
import { locateErrors, locateProblems } from './locate-problems.js';
import { readDocument } from './workflow-document.js';

/** Validates workflow files, and saves them as versions of existing workflows. */
@Controller()
export class WorkflowFilesController {
  constructor(
    private readonly database: Database,
    private readonly threads: YamlThreads,
    private readonly saver: VersionSaver,
  ) {}

  @OperationHandler(validateWorkflowFile)
  async validate(
    { body }: Input<typeof validateWorkflowFile>,
    context: Context,
  ): Promise<Result<typeof validateWorkflowFile>> {
    const workflow = await this.findTarget(body, context);
    const { name, data } = await readDocument(body, this.threads);
    const { errors, warnings } = await inspectUnsaved(this.database.client, data, workflow, context.caller);
    const locate = (problems: Problem[]) => locateProblems(this.threads, { yaml: body.yaml, data }, problems);
    return { name, errors: await locate(errors), warnings: await locate(warnings) };
  }

  @OperationHandler(saveWorkflowFile)
  async save(
    { params, body }: Input<typeof saveWorkflowFile>,
    context: Context,
  ): Promise<Result<typeof saveWorkflowFile>> {
    const { yaml, snapshot, name, expected_version_id: expected } = body;
    const workflow = await findWorkflow(this.database.client, params.id, context);
    const { data } = await readDocument(body, this.threads);
    const draft = { data, snapshot, name, expected };
    const prepared = await this.saver.prepare(workflow, draft, context).catch(async (error: unknown) => {
      throw await locateErrors(this.threads, { yaml, data }, error);
    });
    const errors = await locateProblems(this.threads, { yaml, data }, prepared.errors);
    const warnings = await locateProblems(this.threads, { yaml, data }, prepared.warnings);
    return this.saver.save(prepared, (saved) => ({ ...toVersionSummary(saved), errors, warnings }));
  }

  private async findTarget(
    { workflow, space }: Input<typeof validateWorkflowFile>['body'],
    context: Context,
  ): Promise<InspectedWorkflow> {
    const { client } = this.database;
    if (workflow !== undefined) return findWorkflow(client, workflow, context);
    const { id: spaceId } = await findSpace(client, space ?? '', context);
    return { id: newId(), latestVersionId: null, spaceId };
  }
}
