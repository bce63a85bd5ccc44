import { Controller } from '@nestjs/common';
import { NotFound, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { loadForRun, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { findWorkflow } from './find-workflow.js';
import { loadModules } from './load-modules.js';
import type { PlacedWorkflow } from './to-workflow.js';

type Loaded = Result<typeof loadForRun>;

@Controller()
export class LoadForRunController {
  constructor(private readonly database: Database) {}

  @Handles(loadForRun)
  async load({ body }: Input<typeof loadForRun>, context: Context): Promise<Loaded> {
    const workflow = await findWorkflow(this.database.client, body.workflow, context);
    const version = await this.findVersion(workflow, body.version);
    return {
      workflow: describe(workflow),
      version: version.id,
      content: await this.loadContent(version, body.known, context.caller.vault),
    };
  }

  @Handles(locateWorkflow)
  async locate({ body }: Input<typeof locateWorkflow>, context: Context): Promise<Result<typeof locateWorkflow>> {
    const { id, spaceId } = await findWorkflow(this.database.client, body.workflow, context);
    return { id, space: spaceId };
  }

  /** Without its data, which the engine mostly holds already. */
  private async findVersion(workflow: PlacedWorkflow, asked: string | undefined) {
    const id = asked ?? workflow.latestVersionId;
    if (id === null) throw new ValidationError({ workflow: 'has no version yet' }, 'The workflow has no version yet');
    const where = { id, workflowId: workflow.id };
    const select = { id: true, modules: true } as const;
    const found = isId(id) ? await this.database.client.version.findFirst({ where, select }) : null;
    if (!found) throw new NotFound('Version');
    return found;
  }

  /** Modules may be named by workflow, whose latest version is another tomorrow: then what the engine holds is stale. */
  private async loadContent(
    version: { id: string; modules: string[] },
    known: string[],
    vault: string,
  ): Promise<Loaded['content']> {
    if (version.modules.length === 0 && known.includes(version.id)) return null;
    const { client } = this.database;
    const row = await client.version.findUnique({ where: { id: version.id }, select: { data: true } });
    if (!row) throw new NotFound('Version');
    const data = JSON.parse(row.data) as unknown;
    const { modules, problem } = await loadModules(client, vault, data);
    if (problem) throw new ValidationError({ version: problem.message, errors: [problem] }, problem.message);
    return { data, modules };
  }
}

const describe = (workflow: PlacedWorkflow): Loaded['workflow'] => ({
  id: workflow.id,
  name: workflow.name,
  space: workflow.spaceId,
  spaceName: workflow.space.name,
  project: workflow.projectId,
  projectName: workflow.project?.name ?? null,
});
