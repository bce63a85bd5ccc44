import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { ParamValues } from '@millrace/graph/params/set-params';
import type { Plan } from '@millrace/graph/plan/plan';
import type { Context } from '@millrace/messaging/rpc/context';
import { isFileType } from '../inputs/input-fetch.js';
import type { InputResolver } from '../inputs/input-resolver.js';
import type { RunRequest } from '../launch/run-starter.js';
import type { RunnableVersion } from '../launch/version-cache.js';
import { PARAMETERS_FIELD } from './compile-with-parameters.js';
import { InvalidParametersError, placeOf } from './invalid-parameters-error.js';

/**
 * Resolves the inputs of a new run, and the files that its parameters name. The user who starts the run names these
 * files, not an author of the workflow.
 * @throws ValidationError as `InputResolver`
 * @throws InvalidParametersError if a file of a parameter does not exist or may not be read
 */
export async function resolveWithParameters(
  resolver: InputResolver,
  context: Context,
  runnable: RunnableVersion,
  { inputs, contents, parameters }: RunRequest,
): Promise<Record<string, InputValue>> {
  if (parameters === undefined) return resolver.resolve(context, runnable, inputs, contents);
  const files = listFiles(runnable.plan.plan, parameters);
  const values = Object.fromEntries(files.map(({ id, value }) => [id, value]));
  try {
    return await resolver.resolve(context, runnable, { ...values, ...inputs }, contents);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const places = new Map(
      files.filter(({ id }) => !Object.hasOwn(inputs, id)).map(({ id, place }) => [`inputs.${id}`, place]),
    );
    const details = Object.entries(error.details ?? {});
    if (!details.some(([key]) => places.has(key))) throw error;
    throw new InvalidParametersError(
      Object.fromEntries(details.map(([key, value]) => [places.get(key) ?? key, value])),
    );
  }
}

/**
 * The files and folders among the parameters. Their input in the plan is `<node>/<name>`, where an input of a module has
 * one of its two names.
 */
function listFiles({ primitives }: Plan, parameters: ParamValues): { id: string; value: string; place: string }[] {
  const files = Object.entries(primitives).filter(([, { type }]) => isFileType(type));
  return files.flatMap(([id, { value }]) => {
    const [node = '', , ...deeper] = id.split('/');
    const params = Object.hasOwn(parameters, node) && deeper.length === 0 ? parameters[node] : undefined;
    const param = Object.entries(params ?? {}).find(([, given]) => given === value)?.[0];
    return param === undefined || typeof value !== 'string'
      ? []
      : [{ id, value, place: placeOf(PARAMETERS_FIELD, node, param) }];
  });
}
