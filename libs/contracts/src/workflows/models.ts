import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { text, idOf } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

/** A model of the catalogue file, including any additional fields. */
export const model = z
  .looseObject({
    id: z.string().min(1).max(255),
    name: z.string(),
    provider: z.string(),
    description: z.string().optional(),
    context_window: z.number().int().positive().optional().describe('Tokens'),
    max_output_tokens: z.number().int().positive().optional(),
  })
  .meta({ id: 'Model' });

export const listModels = operation('workflows.models.list', {
  method: 'GET',
  path: '/models',
  summary: 'List models that a workflow can use',
  description: 'The operator of the installation maintains the catalogue. All models are in one response.',
  access: anyUser,
  response: z.object({ results: z.array(model) }),
});

export const setModel = operation('workflows.models.set', {
  method: 'PUT',
  path: '/workflows/{id}/model',
  summary: 'Check the choice of a model for a workflow',
  description: 'The server does not store the choice; the client does.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: z.strictObject({ modelId: text(255, 1).describe('Id of a model of `GET /models`') }),
  response: z.object({ success: z.boolean(), modelId: z.string(), model }),
});
