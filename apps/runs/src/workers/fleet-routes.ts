import { DEFAULT_FLEET } from '@millrace/contracts/runs/report';
import { meetsRequirement, readRequirement, type Offer, type Requirement } from '@millrace/graph/plan/placement';

/** A fleet that has workers, or had some. */
export interface KnownFleet extends Offer {
  /** Dispatches that its workers can run at once, without those that take no new work. */
  slots: number;
  /** Whether it has workers now. */
  isLive: boolean;
}

/** What the engine knows about fleets, and about the requirements of unfinished runs. */
export interface FleetView {
  fleets: readonly KnownFleet[];
  /** Requirements of segments, without the plain one. */
  keys: readonly string[];
}

/** Which tasks one fleet gets. */
export interface FleetRoute {
  fleet: string;
  slots: number;
  /** Dispatches that may exist at once, for each slot: one that runs, and one that waits behind it. */
  depth: 1 | 2;
  /** Requirements that it meets, as stored; empty text for the plain one. Null if no run has another one than that. */
  filter: readonly string[] | null;
  accepts: (key: string | null) => boolean;
}

/**
 * The fleets that may run a step. One that names neither a fleet nor labels runs in the fleet `default`, if that has workers of
 * its size or had some: other fleets are for steps that need what they have.
 */
export function findFleets(fleets: readonly KnownFleet[], requirement: Requirement): KnownFleet[] {
  const matching = fleets.filter((fleet) => meetsRequirement(fleet, requirement));
  const isPlain = requirement.fleet === null && Object.keys(requirement.labels).length === 0;
  const byDefault = isPlain ? matching.find(({ name }) => name === DEFAULT_FLEET) : undefined;
  return byDefault ? [byDefault] : matching;
}

/**
 * The fleets with free workers, and what each gets, in the order in which they are served. If several fleets may run the same
 * tasks, all slots of all of them come first, and then the places behind the slots.
 * @param ownKeys requirements of runs that the view may not contain yet
 */
export function listRoutes({ fleets, keys }: FleetView, ownKeys: Iterable<string> = []): FleetRoute[] {
  const all = [...new Set([...keys, ...ownKeys])];
  const names = new Map([null, ...all].map((key) => [key, namesFor(fleets, key)] as const));
  const open = fleets.filter(({ slots }) => slots > 0).toSorted((a, b) => b.slots - a.slots);
  const routes = open.flatMap(({ name, slots }) => {
    const accepted = [...names].filter(([, of]) => of.includes(name)).map(([key]) => key ?? '');
    if (accepted.length === 0) return [];
    const accepts = (key: string | null) => (names.get(key) ?? namesFor(fleets, key)).includes(name);
    return [{ fleet: name, slots, filter: all.length === 0 ? null : accepted, accepts }];
  });
  const isShared = [...names.values()].some((of) => routes.filter(({ fleet }) => of.includes(fleet)).length > 1);
  const depths = isShared ? ([1, 2] as const) : ([2] as const);
  return depths.flatMap((depth) => routes.map((route) => ({ ...route, depth })));
}

const namesFor = (fleets: readonly KnownFleet[], key: string | null): string[] =>
  findFleets(fleets, readRequirement(key)).map(({ name }) => name);

/** Number of dispatches that all workers can run at once. */
export const sumSlots = (fleets: readonly KnownFleet[]): number => fleets.reduce((sum, { slots }) => sum + slots, 0);
