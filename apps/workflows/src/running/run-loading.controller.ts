import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { loadForRun, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { locateFiles } from '../storage/locate-files.js';
import { loadModules } from '../validation/load-modules.js';
import { findWorkflow } from '../workflows/find-workflow.js';
import { findRunnable, type Runnable } from './find-runnable.js';

type Loaded = Result<typeof loadForRun>;

@Controller()
export class RunLoadingController {
  constructor(private readonly database: Database) {}

  @OperationHandler(loadForRun)
  async load({ body }: Input<typeof loadForRun>, context: Context): Promise<Loaded> {
    const { client } = this.database;
    const [runnable, files] = await Promise.all([
      findRunnable(client, body, context),
      locateFiles(client, body.files, context.caller),
    ]);
    return {
      workflow: describeWorkflow(runnable),
      version: runnable.version,
      author: runnable.author,
      content: await this.readContent(runnable, context.caller.vault),
      files,
    };
  }

  @OperationHandler(locateWorkflow)
  async locate({ body }: Input<typeof locateWorkflow>, context: Context): Promise<Result<typeof locateWorkflow>> {
    const { id, spaceId } = await findWorkflow(this.database.client, body.workflow, context);
    return { id, space: spaceId };
  }

  private async readContent({ data: text, spaceId: space }: Runnable, vault: string): Promise<Loaded['content']> {
    if (text === null) return null;
    const data = JSON.parse(text) as unknown;
    const { modules, problem } = await loadModules(this.database.client, vault, { data, space });
    if (problem) throw new ValidationError({ version: problem.message, errors: [problem] }, problem.message);
    const stripped = Object.entries(modules).map(([key, { isPublished: _, ...module }]) => [key, module] as const);
    return { data, modules: Object.fromEntries(stripped) };
  }
}

const describeWorkflow = (found: Runnable): Loaded['workflow'] => ({
  id: found.id,
  name: found.name,
  space: found.spaceId,
  spaceName: found.spaceName,
  project: found.projectId,
  projectName: found.projectName,
});
