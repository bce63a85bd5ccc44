import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { copyWorkflowForSolution, discardWorkflowCopy, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import type { FakeService } from './fake-service.js';
import type { System } from './start-apps.js';

/** What the workflows service promises those who keep something by space and by workflow. */
export interface FakeWorkflows {
  service: FakeService;
  /** A space of the caller's vault. */
  space(owner: Caller): string;
  /** A workflow in a space. */
  workflow(owner: Caller, space: string): string;
  /** Spaces of workflows, copies included; what is not in it is gone. */
  workflows: Map<string, { vault: string; space: string }>;
  /** Called when a copy has been made and before that is answered; what it throws is the answer. */
  afterCopy: () => void | Promise<void>;
}

export async function fakeWorkflows(system: System): Promise<FakeWorkflows> {
  const service = await system.play('workflows');
  const spaces = new Map<string, string>();
  const played: FakeWorkflows = {
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
      played.workflows.set(id, { vault: owner.vault, space });
      return id;
    },
  };
  service.on(findSpaceOf, ({ body }) => {
    const { vault, space } = findSpaceOf.body.parse(body);
    return { name: spaces.get(space) === vault ? 'Space' : null };
  });
  service.on(locateWorkflow, ({ body, caller }) => locate(played, locateWorkflow.body.parse(body).workflow, caller));
  service.on(copyWorkflowForSolution, async ({ body, caller }) => {
    const { workflow, copy, space } = copyWorkflowForSolution.body.parse(body);
    const { vault } = locate(played, workflow, caller);
    enter(caller, space, 'write', 'Space');
    played.workflows.set(copy, { vault, space });
    await played.afterCopy();
    return { id: copy };
  });
  service.on(discardWorkflowCopy, ({ body }) => {
    played.workflows.delete(discardWorkflowCopy.body.parse(body).copy);
    return null;
  });
  return played;
}

function locate({ workflows }: FakeWorkflows, id: string, caller: Caller | null) {
  const found = workflows.get(id);
  if (!found || found.vault !== caller?.vault) throw new NotFoundError('Workflow');
  enter(caller, found.space, 'read', 'Workflow');
  return { id, ...found };
}

function enter(caller: Caller | null, space: string, role: 'read' | 'write', what: string): void {
  if (!caller) throw new ApiError('unauthenticated', 'Nobody asks');
  if (caller.spaces === 'all') return;
  const held = caller.spaces[space];
  if (!held) throw new NotFoundError(what);
  if (!hasSpaceRole(held, role)) throw new ForbiddenError();
}
