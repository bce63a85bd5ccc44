import { fieldOf, isRecord } from '@millrace/graph/data/is-record';

/** Reads a group of a version's data by its name, such as `nodes`; empty if there is none. Accepts any data. */
export function readGroup(data: unknown, name: string): Record<string, unknown> {
  const group = fieldOf(data, name);
  return isRecord(group) ? group : {};
}
