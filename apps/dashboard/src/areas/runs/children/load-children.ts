import type { Subjob, SubjobsChildrenQuery } from '@millrace/client';
import { client } from '../../../api/client.js';
import { ChildStates, STATUSES, type SubjobStatus } from '../live/child-states.js';
import { countChildren } from './child-counts-query.js';

const PAGE_SIZE = 1000;

/**
 * The children of a group whose run has ended. Most of them have one status, which its count shows, so only the others are
 * requested: 100,000 children of which three failed are eight small requests.
 * @param report called when there is something to show, and again after each page
 */
export async function loadChildren(group: Subjob, signal: AbortSignal, report: (states: ChildStates) => void) {
  const states = new ChildStates(group.task_count ?? 0);
  const counts = await countChildren(group, signal);
  const [majority = 'PENDING', ...others] = STATUSES.toSorted((a, b) => counts[b] - counts[a]);
  states.fill(majority);
  report(states);
  for (const status of others.filter((other) => counts[other] > 0)) {
    await readPages(group, { status }, states, signal, () => report(states));
  }
  return states;
}

/** Reads every child, for their durations. `onPage` has the number of children so far. */
export async function loadDurations(
  group: Subjob,
  states: ChildStates,
  signal: AbortSignal,
  onPage: (read: number) => void,
): Promise<void> {
  let read = 0;
  await readPages(group, {}, states, signal, (added) => {
    read += added;
    onPage(read);
  });
}

async function readPages(
  group: Subjob,
  filter: SubjobsChildrenQuery,
  states: ChildStates,
  signal: AbortSignal,
  onPage: (added: number) => void,
): Promise<void> {
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
    const query = { ...filter, page_size: PAGE_SIZE, ordering: 'task_index', ...(cursor !== '' && { cursor }) };
    const page = await client.subjobs.children(group.run, group.id, query, { signal });
    for (const child of page.results) setChild(states, child);
    states.publish();
    onPage(page.results.length);
    cursor = page.cursor;
  }
}

function setChild(states: ChildStates, { task_index: index, status, id, duration_ms: duration }: Subjob): void {
  if (index !== undefined) states.set(index, status, Number(id), duration);
}

/** The id of a child by its number, if no list and no stream has shown it. */
export async function findChild(group: Subjob, index: number): Promise<string | undefined> {
  const query = { page: index, page_size: 1, ordering: 'task_index' };
  const { results } = await client.subjobs.children(group.run, group.id, query);
  return results.find(({ task_index: found }) => found === index)?.id;
}

/** The ids of the children with a status; at most `limit`. */
export async function childIds(group: Subjob, status: SubjobStatus, limit: number): Promise<string[]> {
  const query = { status, page_size: PAGE_SIZE, ordering: 'task_index' };
  const children = await client.subjobs.children(group.run, group.id, query).toArray(limit);
  return children.map(({ id }) => id);
}
