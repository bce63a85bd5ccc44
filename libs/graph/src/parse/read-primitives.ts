import { type Problems } from '../check/problem.js';
import { VALUE_HINTS, readValue } from '../data/read-value.js';
import { type PrimitiveNode, type WorkflowData } from '../data/workflow-data.js';
import { NAME_HINT, checkName, showName } from '../names/check-name.js';
import { type Primitive } from './level.js';

/** Reads a workflow's inputs, by id: their key in `primitiveNodes`. */
export function readPrimitives(data: WorkflowData, errors: Problems): Map<string, Primitive> {
  const primitives = new Map<string, Primitive>();
  for (const [id, written] of Object.entries(data.primitiveNodes ?? {})) {
    const nameProblem = checkName(id);
    if (nameProblem !== null)
      errors.add({
        code: 'bad_name',
        message: `The input name ${showName(id)} ${nameProblem}.`,
        node: id,
        hint: NAME_HINT,
      });
    else primitives.set(id, readPrimitive(id, written, errors));
  }
  return primitives;
}

function readPrimitive(id: string, written: PrimitiveNode, errors: Problems): Primitive {
  const { type } = written;
  const label = written.label ?? '';
  const isNamed = label !== '' && label !== String(written.value ?? '');
  const read = readValue(type, type === 'BOOLEAN' && written.value === '' ? null : written.value);
  if ('problem' in read) {
    const message = `The value of input ${showName(id)} ${read.problem}.`;
    errors.add({ code: 'bad_value', message, node: id, hint: VALUE_HINTS[type] });
    return { id, type, label, isNamed, value: null };
  }
  // An unticked checkbox is not a missing value.
  const value = type === 'BOOLEAN' ? (read.value ?? false) : read.value;
  return { id, type, label, isNamed, value };
}
