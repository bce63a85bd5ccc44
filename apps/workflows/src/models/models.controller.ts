import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { listModels, setModel } from '@millrace/contracts/workflows/models';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { findWorkflow } from '../workflows/find-workflow.js';
import { ModelCatalogue } from './model-catalogue.js';

/** Ids that the hint lists. */
const MAX_LISTED_IDS = 20;

@Controller()
export class ModelsController {
  constructor(
    private readonly database: Database,
    private readonly catalogue: ModelCatalogue,
  ) {}

  @OperationHandler(listModels)
  async list(): Promise<Result<typeof listModels>> {
    return { results: [...(await this.catalogue.list())] };
  }

  /** Validates the choice and stores nothing: the client stores which model it uses for a workflow. */
  @OperationHandler(setModel)
  async set({ params, body }: Input<typeof setModel>, context: Context): Promise<Result<typeof setModel>> {
    await findWorkflow(this.database.client, params.id, context);
    const models = await this.catalogue.list();
    const { modelId } = body;
    const model = models.find(({ id }) => id === modelId);
    if (model) return { success: true, modelId, model };
    const ids = models.slice(0, MAX_LISTED_IDS).map(({ id }) => id);
    throw new ValidationError({
      'body.modelId': 'is not in the catalogue of models',
      hint: `GET /models lists the catalogue: ${ids.join(', ')}`,
    });
  }
}
