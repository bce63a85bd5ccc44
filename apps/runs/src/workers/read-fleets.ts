import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import type { Database } from '@millrace/persistence/database';
import type { FleetView, KnownFleet } from './fleet-routes.js';

/** Workers of one fleet that are alike. */
interface Group {
  fleet: string;
  labels: Record<string, string>;
  sizes: string[];
  slots: number;
}

interface Row {
  groups: Group[] | null;
  remembered: Pick<KnownFleet, 'name' | 'labels' | 'sizes'>[] | null;
  keys: string[] | null;
}

/** Reads the fleets, those without workers included, and what unfinished runs require. */
export async function readFleets({ client }: Database): Promise<FleetView> {
  const [row] = await client.$queryRaw<Row[]>`
    SELECT
      (SELECT jsonb_agg(g) FROM (
        SELECT fleet, labels, sizes,
          coalesce(sum(slots) FILTER (WHERE state = 'active' AND desired = 'active'), 0)::int AS slots
        FROM runs.worker WHERE last_seen >= now() - ${WORKER_LEASE_MS}::int * interval '1 ms' AND state <> 'stopped'
        GROUP BY fleet, labels, sizes) g) AS groups,
      (SELECT jsonb_agg(f) FROM (SELECT name, labels, sizes FROM runs.fleet) f) AS remembered,
      (SELECT array_agg(DISTINCT q.key) FROM runs.run r JOIN runs.requirement q ON q.run_id = r.id
        WHERE r.finished_at IS NULL) AS keys`;
  return { fleets: toFleets(row?.groups ?? [], row?.remembered ?? []), keys: row?.keys ?? [] };
}

/** A fleet offers what all of its workers have. Without workers, it offers what the last ones had. */
export function toFleets(
  groups: readonly Group[],
  remembered: readonly Omit<KnownFleet, 'slots' | 'isLive'>[],
): KnownFleet[] {
  const live = [...Map.groupBy(groups, ({ fleet }) => fleet)].map(([name, [first, ...others]]): KnownFleet => {
    let [labels, sizes] = [Object.entries(first?.labels ?? {}), first?.sizes ?? []];
    for (const other of others) {
      labels = labels.filter(([label, value]) => other.labels[label] === value);
      sizes = sizes.filter((size) => other.sizes.includes(size));
    }
    const slots = [first, ...others].reduce((sum, group) => sum + (group?.slots ?? 0), 0);
    return { name, labels: Object.fromEntries(labels), sizes, slots, isLive: true };
  });
  const names = new Set(live.map(({ name }) => name));
  const gone = remembered
    .filter(({ name }) => !names.has(name))
    .map((fleet) => ({ ...fleet, slots: 0, isLive: false }));
  return [...live, ...gone].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
