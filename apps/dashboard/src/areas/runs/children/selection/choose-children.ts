import type { ChildStates, SubjobStatus } from '../../live/child-states.js';

export const VERBS = ['retry', 'stop', 'skip'] as const;
export type Verb = (typeof VERBS)[number];

/** The statuses of children that the API accepts for each verb. */
const STATUSES: Record<Verb, readonly SubjobStatus[]> = {
  retry: ['SUCCEEDED', 'FAILED', 'STOPPED', 'SKIPPED'],
  stop: ['PENDING', 'RUNNING'],
  skip: ['FAILED', 'STOPPED', 'PENDING'],
};

/** A retry is one request for up to 10,000 children. The others are a request for each child, so fewer at once. */
export const MAX_CHOSEN: Record<Verb, number> = { retry: 10_000, stop: 500, skip: 500 };

/** The selected children that each verb applies to, by their numbers from 1. O(selected). */
export function chooseChildren(
  states: ChildStates,
  places: Iterable<number>,
  isRunFinished: boolean,
): Record<Verb, number[]> {
  const chosen: Record<Verb, number[]> = { retry: [], stop: [], skip: [] };
  for (const place of places) {
    const status = states.statusAt(place);
    for (const verb of VERBS) {
      // A run that has ended starts nothing, so there is nothing to stop, and nothing that waits to be skipped.
      const isOver = isRunFinished && (verb === 'stop' || (verb === 'skip' && status === 'PENDING'));
      if (!isOver && STATUSES[verb].includes(status)) chosen[verb].push(place + 1);
    }
  }
  return chosen;
}

/** Numbers as ranges: `1, 3–7`. At most `limit` ranges. */
export function describeNumbers(numbers: readonly number[], limit = 5): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const texts = ranges.slice(0, limit).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return texts.join(', ') + (ranges.length > limit ? ', …' : '');
}
