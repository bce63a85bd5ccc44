import { describe, expect, it } from '@jest/globals';
import { findChangedNodes } from './add-changed-nodes.js';

const data = (nodes: Record<string, unknown>, primitiveNodes: Record<string, unknown> = {}) => ({
  nodes,
  primitiveNodes,
});

describe('nodes that both sides changed', () => {
  it('are those changed, added or removed on both sides', () => {
    const base = data({ same: 1, mine: 1, theirs: 1, both: 1, gone: 1 }, { input: { value: 'a' } });
    const mine = data({ same: 1, mine: 2, theirs: 1, both: 2, added: 2 }, { input: { value: 'b' } });
    const theirs = data({ same: 1, mine: 1, theirs: 3, both: 3, added: 3 }, { input: { value: 'c' } });
    expect(findChangedNodes(base, mine, theirs)).toEqual(['added', 'both', 'gone', 'input']);
  });

  it('are none if only the order of keys differs', () => {
    const base = data({ a: { x: 1, y: 2 } });
    const turned = data({ a: { y: 2, x: 1 } });
    expect(findChangedNodes(base, turned, data({ a: { y: 3 } }))).toEqual([]);
  });

  it('are found by name, also if a name is that of a method', () => {
    const base = data({});
    const mine = data({ constructor: 1, toString: 1 });
    expect(findChangedNodes(base, mine, data({ constructor: 2 }))).toEqual(['constructor']);
  });

  it('cannot be found without previous data', () => {
    for (const base of [undefined, null, 'text', []]) {
      expect(findChangedNodes(base, data({}), data({}))).toBeNull();
    }
  });

  it('count as added if the previous data has no nodes', () => {
    expect(findChangedNodes({ nodes: null }, data({ a: 1 }), data({ a: 1 }))).toEqual(['a']);
  });
});
