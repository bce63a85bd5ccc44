import { z } from 'zod';
import { requires } from '../kit/access.js';
import { operation } from '../kit/operation.js';
import { parameterValues } from './parameter-values.js';
import { run } from './run-record.js';
import { runParams } from './runs.js';

export const setParameters = operation('runs.parameters.set', {
  method: 'PATCH',
  path: '/runs/{id}/parameters',
  summary: 'Change parameters of nodes for everything in a run that has not started',
  description:
    'The values have the rules of a version: their types, required parameters, and secret variables `${{vars.NAME}}`. ' +
    'Parameters that are connected cannot be set, and files must be stored ones. Steps that have started keep their ' +
    'values, and `params` of each subjob has those that it ran with. In a run that has ended, the values apply to a ' +
    'retry. The version of the workflow stays as it is.',
  access: requires('space.edit'),
  params: runParams,
  body: z.strictObject({
    nodes: parameterValues.describe(
      'By node and parameter; `null` removes the value, so that an input of a module has its default again',
    ),
  }),
  response: run,
});
