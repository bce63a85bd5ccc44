import { type Problems } from '../check/problem.js';
import { VALUE_HINTS, readValue } from '../data/read-value.js';
import { type PrimitiveNode, type WorkflowData } from '../data/workflow-data.js';
import { NAME_HINT, checkName, showName } from '../names/check-name.js';
import { type Primitive } from './level.js';

/** The inputs of a workflow by id, which is their key in `primitiveNodes`. */
export function readPrimitives(data: WorkflowData, errors: Problems): Map<string, Primitive> {
  const primitives = new Map<string, Primitive>();
  for (const [id, written] of Object.entries(data.primitiveNodes ?? {})) {
    const wrong = checkName(id);
    if (wrong !== null)
      errors.add({
        code: 'bad_name',
        message: `the name of input ${showName(id)} ${wrong}`,
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
  const named = label !== '' && label !== String(written.value ?? '');
  const read = readValue(type, type === 'BOOLEAN' && written.value === '' ? null : written.value);
  if ('wrong' in read) {
    const message = `the value of input ${showName(id)} ${read.wrong}`;
    errors.add({ code: 'bad_value', message, node: id, hint: VALUE_HINTS[type] });
    return { id, type, label, named, value: null };
  }
  // A box that nobody ticked is not a missing value.
  const value = type === 'BOOLEAN' ? (read.value ?? false) : read.value;
  return { id, type, label, named, value };
}
