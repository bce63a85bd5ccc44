import type { Result } from '@millrace/contracts/kit/operation';
import type { getRun } from '@millrace/contracts/runs/runs';
import { readRequirement, type Requirement } from '@millrace/graph/plan/placement';
import { findFleets, sumSlots, type KnownFleet } from '../workers/fleet-routes.js';

type WaitingFor = NonNullable<Result<typeof getRun>['waiting_for']>[number];

/** Ready tasks that require the same of their workers. */
export interface ReadyTasks {
  /** As stored; null if any worker will do. */
  key: string | null;
  count: number;
}

/** What ready tasks wait for: a free slot, or a worker that has what they require. */
export function describeReady(ready: readonly ReadyTasks[], fleets: readonly KnownFleet[]): WaitingFor[] {
  const [plain, special] = [ready.filter(({ key }) => key === null), ready.filter(({ key }) => key !== null)];
  return [...plain, ...special].map(({ key, count }) => {
    const required = readRequirement(key);
    const matching = findFleets(fleets, required);
    const reason = sumSlots(matching) === 0 ? ('workers' as const) : ('slots' as const);
    if (key === null) return { reason, count };
    const missing = matching.length === 0 ? findMissing(fleets, required) : [];
    return { reason, count, requires: describeRequirement(required), ...(missing.length > 0 && { missing }) };
  });
}

function describeRequirement({ fleet, labels, sizes }: Requirement): NonNullable<WaitingFor['requires']> {
  return {
    ...(fleet !== null && { fleet }),
    ...(Object.keys(labels).length > 0 && { labels }),
    sizes: [...sizes],
  };
}

/** What no fleet has; all that is required, if fleets have each of it but none has all. */
function findMissing(fleets: readonly KnownFleet[], { fleet, labels, sizes }: Requirement): string[] {
  const needs = [
    ...(fleet === null ? [] : [{ text: `fleet ${fleet}`, isMet: ({ name }: KnownFleet) => name === fleet }]),
    ...sizes.map((size) => ({ text: `size ${size}`, isMet: (one: KnownFleet) => one.sizes.includes(size) })),
    ...Object.entries(labels).map(([label, value]) => ({
      text: `${label}=${value}`,
      isMet: (one: KnownFleet) => one.labels[label] === value,
    })),
  ];
  const unmet = needs.filter(({ isMet }) => !fleets.some(isMet));
  return (unmet.length > 0 ? unmet : needs).map(({ text }) => text);
}
