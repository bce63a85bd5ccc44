import type { Subjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import type { SubjobStatus } from '../live/child-states.js';

const PAGE_SIZE = 1000;

/** A child by its number, from 1. Their numbers have no gaps, so it is on the page with its number. */
export async function readChild(group: Subjob, index: number, signal?: AbortSignal): Promise<Subjob | undefined> {
  const query = { page: index, page_size: 1, ordering: 'task_index' };
  const { results } = await client.subjobs.children(group.run, group.id, query, { ...(signal && { signal }) });
  return results.find(({ task_index: found }) => found === index);
}

/** The ids of the children with a status; at most `limit`. */
export async function childIds(group: Subjob, status: SubjobStatus, limit: number): Promise<string[]> {
  const query = { status, page_size: PAGE_SIZE, ordering: 'task_index' };
  const children = await client.subjobs.children(group.run, group.id, query).toArray(limit);
  return children.map(({ id }) => id);
}

/** The ids of children by their numbers: a request for each page that has one of them. */
export async function idsOfChildren(group: Subjob, indexes: readonly number[]): Promise<string[]> {
  const chosen = new Set(indexes);
  const pages = [...new Set(indexes.map((index) => Math.ceil(index / PAGE_SIZE)))];
  const ids: string[] = [];
  for (const page of pages) {
    const query = { page, page_size: PAGE_SIZE, ordering: 'task_index' };
    const { results } = await client.subjobs.children(group.run, group.id, query);
    for (const { id, task_index: index } of results) if (index !== undefined && chosen.has(index)) ids.push(id);
  }
  return ids;
}
