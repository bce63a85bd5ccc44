import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { exportWorkflow, importWorkflow } from '@millrace/contracts/workflows/exchange';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { requireFilledInUses } from '../../library/uses/fill-in-uses.js';
import { shortenCopies } from '../../library/uses/shorten-copies.js';
import { findSpace } from '../../spaces/find-space.js';
import { inspectData, type InspectedWorkflow } from '../../validation/inspect-data.js';
import { refuseBrokenData, refuseOversize } from '../../validation/refuse-broken-data.js';
import { StoredValuesChecker } from '../../validation/stored-values-checker.js';
import { findVersion, toVersion } from '../../versions/find-version.js';
import { encodeData, type EncodedData } from '../../versions/saving/encode-data.js';
import { findWorkflow } from '../../workflows/find-workflow.js';
import { insertWorkflowWithVersion } from '../../workflows/insert-workflow.js';
import type { PlacedWorkflow } from '../../workflows/to-workflow.js';
import { YamlThreads } from '../yaml/yaml-threads.js';
import { compactConnections } from './compact-form.js';
import { locateErrors } from './locate-problems.js';
import { nameExport, readDocument, MEDIA_TYPES, writeDocument, type WorkflowDocument } from './workflow-document.js';

/** Exports workflows to files and imports them. */
@Controller()
export class ExchangeController {
  constructor(
    private readonly database: Database,
    private readonly storedValues: StoredValuesChecker,
    private readonly threads: YamlThreads,
  ) {}

  @OperationHandler(exportWorkflow)
  async export(
    { params, query }: Input<typeof exportWorkflow>,
    context: Context,
  ): Promise<Result<typeof exportWorkflow>> {
    const { client } = this.database;
    const workflow = await findWorkflow(client, params.id, context);
    const version = await findVersion(client, workflow, query.version);
    const { data: full } = toVersion(version);
    const isCompact = query.form === 'compact';
    const data = isCompact ? compactConnections(await shortenCopies(client, full, context.caller.vault)) : full;
    return {
      name: nameExport(workflow.name, query.format),
      type: MEDIA_TYPES[query.format],
      content: await writeDocument(toDocument(workflow, version, data), query.format, this.threads),
    };
  }

  /** Validates first and then writes everything in one transaction. */
  @OperationHandler(importWorkflow)
  async import(
    { query, body }: Input<typeof importWorkflow>,
    context: Context,
  ): Promise<Result<typeof importWorkflow>> {
    const { client } = this.database;
    const { id: spaceId } = await findSpace(client, query.space, context);
    const document = await readDocument(body, this.threads);
    const id = newId();
    const newWorkflow = { id, latestVersionId: null, spaceId };
    const encoded = await this.prepare(document.data, newWorkflow, context).catch(async (error: unknown) => {
      const { yaml } = body;
      throw typeof yaml === 'string' ? await locateErrors(this.threads, { yaml, data: document.data }, error) : error;
    });
    const { description, long_description: longDescription } = document;
    const name = query.name ?? document.name;
    const place = { spaceId, project: query.project, projectField: 'query.project' };
    const workflow = { id, ...place, name, description, longDescription };
    return this.database.transaction((tx) => insertWorkflowWithVersion(tx, workflow, encoded, context));
  }

  /** Completes and validates the data of a new workflow. @throws ValidationError, ApiError `payload_too_large` */
  private async prepare(written: object, workflow: InspectedWorkflow, context: Context): Promise<EncodedData> {
    const { client } = this.database;
    refuseOversize(written);
    const data = await requireFilledInUses(client, written, context.caller.vault);
    const encoded = encodeData(data);
    const inspection = { stored: false, warnings: false };
    const { errors } = await inspectData(client, data, workflow, context.caller, inspection);
    refuseBrokenData(data, errors);
    await this.storedValues.refuseUnreadable(data, context);
    return encoded;
  }
}

function toDocument(workflow: PlacedWorkflow, version: Version, data: WorkflowDocument['data']): WorkflowDocument {
  const { name, description, longDescription } = workflow;
  return {
    millrace: 1,
    name,
    ...(description !== null && { description }),
    ...(longDescription !== null && { long_description: longDescription }),
    metadata: {
      workflow: workflow.id,
      version: version.id,
      version_number: version.number,
      version_created_date: version.createdAt.toISOString(),
    },
    data,
  };
}
