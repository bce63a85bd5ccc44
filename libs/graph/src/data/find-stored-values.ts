import { fieldOf, isRecord } from './is-record.js';

export const FILE_URL = 'millrace://file/';
export const OUTPUT_URL = 'millrace://output/';

/** A value in the data of a version that names a stored file, a folder or an output. */
export interface StoredValue {
  /** The node, or the input of the workflow. */
  node: string;
  /** Input of the node. */
  port?: string;
  /** Field of the data, keys with dots between. */
  path: string;
  url: string;
}

/**
 * Finds all values in the data of a version that a run would read from the platform's store: defaults of the workflow's
 * inputs, and values of its nodes. Text inputs are text, whatever it looks like. Takes any data.
 */
export function findStoredValues(data: unknown): StoredValue[] {
  const found: StoredValue[] = [];
  for (const [node, primitive] of entriesOf(fieldOf(data, 'primitiveNodes'))) {
    const url = storedUrl(primitive);
    if (url !== null) found.push({ node, path: `primitiveNodes.${node}.value`, url });
  }
  for (const [node, record] of entriesOf(fieldOf(data, 'nodes'))) {
    // Of a module the type of the port counts, not the type written here.
    const isModule = fieldOf(record, 'type') === 'WORKFLOW';
    for (const [port, input] of entriesOf(fieldOf(record, 'inputs'))) {
      const url = storedUrl(input, isModule);
      if (url !== null) found.push({ node, port, path: `nodes.${node}.inputs.${port}.value`, url });
    }
  }
  return found;
}

function storedUrl(input: unknown, anyType = false): string | null {
  const [type, value] = [fieldOf(input, 'type'), fieldOf(input, 'value')];
  if (typeof value !== 'string' || !(anyType || type === 'FILE' || type === 'FOLDER')) return null;
  return value.startsWith(FILE_URL) || value.startsWith(OUTPUT_URL) ? value : null;
}

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);
