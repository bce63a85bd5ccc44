import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderNodes } from './order-nodes.js';

const graph = (edges: Record<string, string[]>): Map<string, Set<string>> =>
  new Map(Object.entries(edges).map(([name, before]) => [name, new Set(before)]));

describe('the order of nodes', () => {
  it('sorts nodes by depth and those of one depth by name', () => {
    expect(orderNodes(graph({ z: ['b'], b: [], a: [], y: ['a', 'z'], B: [] }))).toEqual({
      order: ['B', 'a', 'b', 'z', 'y'],
    });
  });

  it('names a cycle along its edges, without the nodes before and after it', () => {
    const ordering = orderNodes(graph({ start: [], a: ['start', 'c'], b: ['a'], c: ['b'], end: ['c'] }));
    expect(ordering).toEqual({ cycle: ['a', 'b', 'c', 'a'] });
  });

  it('has every node after its dependencies, or names an existing cycle', () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const before = new Map(Array.from({ length: 10 }, (_, at) => [String(at), new Set<string>()]));
        for (const [from, to] of pairs) before.get(String(to))?.add(String(from));
        const ordering = orderNodes(before);
        if ('cycle' in ordering) {
          expect(ordering.cycle.length).toBeGreaterThan(1);
          expect(ordering.cycle[0]).toBe(ordering.cycle.at(-1));
          ordering.cycle.slice(1).forEach((name, at) => expect(before.get(name)).toContain(ordering.cycle[at]));
        } else {
          expect([...ordering.order].sort()).toEqual([...before.keys()].sort());
          for (const [name, needed] of before) {
            for (const first of needed)
              expect(ordering.order.indexOf(first)).toBeLessThan(ordering.order.indexOf(name));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
