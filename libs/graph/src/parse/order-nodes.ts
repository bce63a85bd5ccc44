/** Node names in topological order, or the names along a cycle, the first repeated at the end. */
export type Ordering = { order: string[] } | { cycle: string[] };

/**
 * Orders a graph by depth (longest path from a source), then by name, so that the same graph always has the same order.
 * `before` maps each node to the nodes that must precede it. Takes linear time except for the sort; does not recurse.
 */
export function orderNodes(before: Map<string, Set<string>>): Ordering {
  const after = invert(before);
  const waiting = new Map([...before].map(([name, needed]) => [name, needed.size]));
  const depth = new Map<string, number>();
  const ready = [...before.keys()].filter((name) => waiting.get(name) === 0);
  for (const name of ready) depth.set(name, 0);
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    const nextDepth = (depth.get(name) ?? 0) + 1;
    waiting.delete(name);
    for (const next of after.get(name) ?? []) {
      depth.set(next, Math.max(depth.get(next) ?? 0, nextDepth));
      const remaining = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, remaining);
      if (remaining === 0) ready.push(next);
    }
  }
  if (waiting.size > 0) return { cycle: findCycle(before, waiting) };
  const rank = (name: string): number => depth.get(name) ?? 0;
  return { order: [...before.keys()].sort((a, b) => rank(a) - rank(b) || compareNames(a, b)) };
}

/** Compares by code unit, not by locale, because a plan must not depend on the machine that compiles it. */
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

/** Each waiting node waits for another waiting node, so following the dependencies backwards must reach a cycle. */
function findCycle(before: Map<string, Set<string>>, waiting: Map<string, number>): string[] {
  const positions = new Map<string, number>();
  const path: string[] = [];
  let name = [...waiting.keys()].sort(compareNames)[0];
  while (name !== undefined && !positions.has(name)) {
    positions.set(name, path.length);
    path.push(name);
    name = [...(before.get(name) ?? [])].find((needed) => waiting.has(needed));
  }
  if (name === undefined) return path;
  return [...path.slice(positions.get(name)), name].reverse();
}
