import { isId } from '@millrace/persistence/ids';

/** Ids of the library modules that a version's nodes were made from, each once; reads any data without complaint. */
export function listLibraryIds(data: unknown): string[] {
  const nodes = isRecord(data) ? data['nodes'] : null;
  if (!isRecord(nodes)) return [];
  const ids = Object.values(nodes).flatMap((node) =>
    isRecord(node) && typeof node['id'] === 'string' ? node['id'] : [],
  );
  return [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))].sort();
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
