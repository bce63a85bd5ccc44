/** Nodes in topological order, or a cycle among them as the names along it, the first repeated at the end. */
export type Ordering = { order: string[] } | { cycle: string[] };

/**
 * Orders a graph by depth (longest way from a source), ties by name, so that the same graph always gives the same order.
 * `before` holds for each node those that must come first. Linear but for the sort, and without recursion.
 */
export function orderNodes(before: Map<string, Set<string>>): Ordering {
  const after = invert(before);
  const waiting = new Map([...before].map(([name, needed]) => [name, needed.size]));
  const depth = new Map<string, number>();
  const ready = [...before.keys()].filter((name) => waiting.get(name) === 0);
  for (const name of ready) depth.set(name, 0);
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    const below = (depth.get(name) ?? 0) + 1;
    waiting.delete(name);
    for (const next of after.get(name) ?? []) {
      depth.set(next, Math.max(depth.get(next) ?? 0, below));
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  if (waiting.size > 0) return { cycle: findCycle(before, waiting) };
  const rank = (name: string): number => depth.get(name) ?? 0;
  return { order: [...before.keys()].sort((a, b) => rank(a) - rank(b) || compareNames(a, b)) };
}

/** By code unit, not by locale: a plan must not depend on the machine it was compiled on. */
export const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function invert(before: Map<string, Set<string>>): Map<string, string[]> {
  const after = new Map<string, string[]>();
  for (const [name, needed] of before) {
    for (const first of needed) {
      const list = after.get(first);
      if (list === undefined) after.set(first, [name]);
      else list.push(name);
    }
  }
  return after;
}

/** Every node still waiting waits for another one that does: going backwards must come round. */
function findCycle(before: Map<string, Set<string>>, stuck: Map<string, number>): string[] {
  const at = new Map<string, number>();
  const way: string[] = [];
  let name = [...stuck.keys()].sort(compareNames)[0];
  while (name !== undefined && !at.has(name)) {
    at.set(name, way.length);
    way.push(name);
    name = [...(before.get(name) ?? [])].find((needed) => stuck.has(needed));
  }
  if (name === undefined) return way;
  return [...way.slice(at.get(name)), name].reverse();
}
