import { ApiError, NotFound } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { findChangedNodes } from './changed-nodes.js';
import type { EncodedData } from './encode-data.js';

export interface Save extends EncodedData {
  author: string;
  name?: string | undefined;
  snapshot?: boolean | undefined;
  /** The version that the author began with; null where they did not say. */
  expected: string | null;
  /** Data of that version, for finding out what both sides changed. */
  previous?: unknown;
}

/**
 * Adds a version to a workflow, unless its data is that of the latest one, which is given back then. Saves of one
 * workflow wait for each other, so of two that expect the same version one wins.
 * @throws ApiError `version_conflict`, NotFound where the workflow was deleted meanwhile
 */
export async function saveVersion(tx: Transaction, workflow: string, save: Save): Promise<Version> {
  const locked = await tx.$queryRaw<{ latest: string | null }[]>`
    SELECT latest_version_id::text AS latest FROM workflows.workflow WHERE id = ${workflow}::uuid FOR NO KEY UPDATE`;
  if (!locked[0]) throw new NotFound('Workflow');
  const { latest: latestId } = locked[0];
  const latest = latestId === null ? null : await tx.version.findUniqueOrThrow({ where: { id: latestId } });
  if (save.expected !== null && save.expected.toLowerCase() !== latestId) throw conflict(latest, save);
  if (latest?.dataHash === save.dataHash) return publish(tx, latest, save.snapshot ?? false);
  const { data, dataHash, modules, library, author } = save;
  const created = await tx.version.create({
    data: {
      ...{
        id: newId(),
        workflowId: workflow,
        number: (latest?.number ?? 0) + 1,
        data,
        dataHash,
        modules,
        library,
        author,
      },
      ...(save.name && { name: save.name }),
      snapshot: save.snapshot ?? false,
    },
  });
  await tx.workflow.update({ where: { id: workflow }, data: { latestVersionId: created.id } });
  return created;
}

/** A version's data never changes; that it is published may be said later. */
async function publish(tx: Transaction, version: Version, snapshot: boolean): Promise<Version> {
  if (!snapshot || version.snapshot) return version;
  return tx.version.update({ where: { id: version.id }, data: { snapshot } });
}

function conflict(latest: Version | null, save: Save): ApiError {
  const theirs: unknown = latest && JSON.parse(latest.data);
  const changed = findChangedNodes(save.previous, JSON.parse(save.data), theirs);
  return new ApiError('version_conflict', 'The workflow was saved by somebody else meanwhile', {
    latest_version_id: latest?.id ?? null,
    ...(changed && { changed_nodes: changed }),
  });
}
