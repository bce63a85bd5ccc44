import { Injectable } from '@nestjs/common';
import type { Problem } from '@millrace/graph/check/problem';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { requireFilledInUses } from '../../library/uses/fill-in-uses.js';
import { checkPublishable } from '../../snapshots/publish-version.js';
import { type InspectedWorkflow, inspectData } from '../../validation/inspect-data.js';
import { refuseBrokenData, refuseOversize } from '../../validation/refuse-broken-data.js';
import { StoredValuesChecker } from '../../validation/stored-values-checker.js';
import { addChangedNodes, checkPreviousData } from './add-changed-nodes.js';
import { addVersion } from './add-version.js';
import { encodeData, type EncodedData } from './encode-data.js';

interface Draft {
  data: object;
  name?: string | undefined;
  snapshot?: boolean | undefined;
  /** The latest version when the author started; absent to save over any version. */
  expected?: string | undefined;
  /** The data of that version, to name what both sides changed. */
  previous?: unknown;
}

export interface PreparedVersion extends Pick<Draft, 'name' | 'snapshot' | 'expected' | 'previous'> {
  workflow: string;
  data: unknown;
  encoded: EncodedData;
  author: string;
  /** What a run would refuse, and a draft may have. */
  errors: Problem[];
  warnings: Problem[];
}

/** Saves data as a new version of a workflow, in two steps: everything that takes long is done before the workflow is locked. */
@Injectable()
export class VersionSaver {
  constructor(
    private readonly database: Database,
    private readonly storedValues: StoredValuesChecker,
  ) {}

  /** @throws ValidationError, ApiError `payload_too_large` */
  async prepare(workflow: InspectedWorkflow, draft: Draft, context: Context): Promise<PreparedVersion> {
    const { client } = this.database;
    refuseOversize(draft.data);
    checkPreviousData(draft.previous);
    const data = await requireFilledInUses(client, draft.data, context.caller.vault);
    const encoded = encodeData(data);
    const inspection = { stored: false, warnings: false };
    const { errors, warnings, latestModules } = await inspectData(client, data, workflow, context.caller, inspection);
    refuseBrokenData(data, errors, latestModules);
    await this.storedValues.refuseUnreadable(data, context);
    if (draft.snapshot) checkPublishable(errors, 'body.snapshot');
    return { ...draft, workflow: workflow.id, data, encoded, author: context.caller.user, errors, warnings };
  }

  /**
   * @param respond makes the response in the transaction, so that a repeated request gets the same one
   * @throws VersionConflictError
   */
  async save<T>(prepared: PreparedVersion, respond: (version: Version) => T): Promise<T> {
    const { workflow, data, encoded, name, snapshot, author, expected = null, previous } = prepared;
    try {
      const version = { ...encoded, name, snapshot, author, expected };
      return await this.database.transaction(async (tx) => respond(await addVersion(tx, workflow, version)));
    } catch (error) {
      throw await addChangedNodes(this.database.client, error, { mine: data, base: previous });
    }
  }
}
