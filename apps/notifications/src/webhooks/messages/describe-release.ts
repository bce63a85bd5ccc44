import type { Payload } from '@millrace/contracts/kit/event';
import type { moduleReleased } from '@millrace/contracts/workflows/library';
import type { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import { heardNow } from './time-of-receipt.js';
import type { PlacedEvent } from './webhook-event.js';

/** A version of a workflow that was published to the library of its vault. */
export function describeSnapshot(published: Payload<typeof snapshotPublished>): PlacedEvent {
  const { vault, space, workflow } = published;
  return {
    ...{ type: 'workflow.released', vault, space, workflow, at: published.at ?? heardNow() },
    said: `"${published.name}", a version of the workflow "${published.workflowName}", was published`,
    page: `/library/workflows/${published.snapshot}`,
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

/** A MODULE is a workflow that was wrapped. */
const TYPES = { TOOL: 'tool.released', SCRIPT: 'script.released', MODULE: 'workflow.released' } as const;

/** A module that is new in the library of its vault, or has a new version there. It is in no space. */
export function describeModule(released: Payload<typeof moduleReleased>): PlacedEvent {
  const { vault, module, name, number, author, type } = released;
  return {
    ...{ type: TYPES[type], vault, at: released.at ?? heardNow() },
    said: `The ${type.toLowerCase()} "${name}" is in the library, version ${number}`,
    page: `/library/module/${module}`,
    data: { module, module_type: type, name, version_number: number, author },
  };
}
