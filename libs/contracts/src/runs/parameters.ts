import { z } from 'zod';
import { requires } from '../kit/access.js';
import { operation } from '../kit/operation.js';
import { run } from './run-record.js';
import { runParams } from './runs.js';

/** Longer texts belong into a file. */
const MAX_TEXT = 100_000;
const MAX_NAME = 1_000;
/** Nodes, and parameters of a node, in one request. */
const MAX_ENTRIES = 1_000;

const value = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean(), z.null()], {
  error: `must be text of at most ${MAX_TEXT} characters, a number, true, false or null`,
});

const boundedRecord = <Value extends z.ZodType>(values: Value) =>
  z
    .record(z.string().min(1).max(MAX_NAME), values)
    .refine((entries) => Object.keys(entries).length > 0, 'must not be empty')
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`);

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
    nodes: boundedRecord(boundedRecord(value)).describe(
      'By node and parameter; `null` removes the value, so that an input of a module has its default again',
    ),
  }),
  response: run,
});
