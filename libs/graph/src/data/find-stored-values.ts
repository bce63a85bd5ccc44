import { fieldOf, isRecord } from './is-record.js';

export const FILE_URL = 'millrace://file/';
export const OUTPUT_URL = 'millrace://output/';

/** A value in the data of a version that names a stored file, a folder or an output. */
export interface StoredValue {
  /** Name of the node, or id of the workflow's input. */
  node: string;
  /** Input of the node. */
  port?: string;
  /** Field of the data: its keys joined with dots. */
  path: string;
  url: string;
}

/**
 * Finds all values in a version's data that a run reads from the platform's storage: defaults of the workflow's inputs,
 * and values of its nodes. The value of a STRING input is always text, even if it looks like such a URL. Takes any data.
 */
export function findStoredValues(data: unknown): StoredValue[] {
  const found: StoredValue[] = [];
  for (const [node, primitive] of entriesOf(fieldOf(data, 'primitiveNodes'))) {
    const url = storedUrl(primitive);
    if (url !== null) found.push({ node, path: `primitiveNodes.${node}.value`, url });
  }
  for (const [node, record] of entriesOf(fieldOf(data, 'nodes'))) {
    // A module's input has the type of the module's port, not the type written here.
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
