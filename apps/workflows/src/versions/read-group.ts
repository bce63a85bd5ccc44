import { fieldOf, isRecord } from '@millrace/graph/data/is-record';

/** A group of a version's data by its name there, such as `nodes`; empty where it holds none. Takes any data. */
export function readGroup(data: unknown, name: string): Record<string, unknown> {
  const group = fieldOf(data, name);
  return isRecord(group) ? group : {};
}
