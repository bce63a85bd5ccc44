import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import type { moduleReleased } from '@millrace/contracts/workflows/library';
import type { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import type { AddressedWebhookEvent } from './webhook-event.js';

/** A workflow version was published to the library of its vault. */
export function describeSnapshot(published: Payload<typeof snapshotPublished>): AddressedWebhookEvent {
  const { vault, space, workflow } = published;
  return {
    ...{ type: 'workflow.released', vault, space, workflow, at: published.at },
    summary: `"${published.name}", a version of the workflow "${published.workflowName}", was published`,
    page: pagePaths.publishedWorkflow(published.snapshot),
    data: {
      snapshot: published.snapshot,
      name: published.name,
      workflow,
      workflow_name: published.workflowName,
      version: published.version,
      space,
      author: published.author,
    },
  };
}

/** A MODULE is a workflow that is used as a node. */
const TYPES = { TOOL: 'tool.released', SCRIPT: 'script.released', MODULE: 'workflow.released' } as const;

/** A module is new in the library of its vault or has a new version. Modules belong to no space. */
export function describeModule(released: Payload<typeof moduleReleased>): AddressedWebhookEvent {
  const { vault, module, name, number, author, type } = released;
  return {
    ...{ type: TYPES[type], vault, at: released.at },
    summary: `The ${type.toLowerCase()} "${name}" is in the library, version ${number}`,
    page: pagePaths.module(module),
    data: { module, module_type: type, name, version_number: number, author },
  };
}
