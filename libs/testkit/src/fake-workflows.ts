import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { copyWorkflowForSolution, discardWorkflowCopy, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import type { FakeService } from './fake-service.js';
import type { System } from './start-apps.js';

/** A fake of the workflows service for services that store records by space and by workflow. It keeps its guarantees. */
export interface FakeWorkflows {
  service: FakeService;
  /** Creates a space in the caller's vault. */
  space(owner: Caller): string;
  /** Creates a workflow in a space. */
  workflow(owner: Caller, space: string): string;
  /** The vault and space of each workflow and each copy. A workflow that is not in the map is deleted. */
  workflows: Map<string, { vault: string; space: string }>;
  /** Called after a copy is made and before the response is sent. An error that it throws becomes the response. */
  afterCopy: () => void | Promise<void>;
}

export async function fakeWorkflows(system: System): Promise<FakeWorkflows> {
  const service = await system.fake('workflows');
  const spaces = new Map<string, string>();
  const fake: FakeWorkflows = {
    service,
    workflows: new Map(),
    afterCopy: () => undefined,
    space: (owner) => {
      const id = newId();
      spaces.set(id, owner.vault);
      return id;
    },
    workflow: (owner, space) => {
      const id = newId();
      fake.workflows.set(id, { vault: owner.vault, space });
      return id;
    },
  };
  service.on(findSpaceOf, ({ body }) => {
    const { vault, space } = findSpaceOf.body.parse(body);
    return { name: spaces.get(space) === vault ? 'Space' : null };
  });
  service.on(locateWorkflow, ({ body, caller }) => locate(fake, locateWorkflow.body.parse(body).workflow, caller));
  service.on(copyWorkflowForSolution, async ({ body, caller }) => {
    const { workflow, copy, space } = copyWorkflowForSolution.body.parse(body);
    const { vault } = locate(fake, workflow, caller);
    requireSpaceRole(caller, space, 'write', `Space ${space}`);
    fake.workflows.set(copy, { vault, space });
    await fake.afterCopy();
    return { id: copy };
  });
  service.on(discardWorkflowCopy, ({ body }) => {
    fake.workflows.delete(discardWorkflowCopy.body.parse(body).copy);
    return null;
  });
  return fake;
}

function locate({ workflows }: FakeWorkflows, id: string, caller: Caller | null) {
  const found = workflows.get(id);
  if (!found || found.vault !== caller?.vault) throw new NotFoundError(`Workflow ${id}`);
  requireSpaceRole(caller, found.space, 'read', `Workflow ${id}`);
  return { id, ...found };
}

function requireSpaceRole(caller: Caller | null, space: string, role: 'read' | 'write', record: string): void {
  if (!caller) throw new ApiError('unauthenticated', 'The request has no caller.');
  if (caller.spaces === 'all') return;
  const ownRole = caller.spaces[space];
  if (!ownRole) throw new NotFoundError(record);
  if (!hasSpaceRole(ownRole, role)) throw new ForbiddenError();
}
