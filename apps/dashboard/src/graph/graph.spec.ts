import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { completePositions } from './layout/complete-positions.js';
import { layoutWithDagre } from './layout/layout-with-dagre.js';
import { placeByLevel } from './layout/place-by-level.js';
import { boundsOf, containsRect, fitBounds, viewRect } from './model/bounds.js';
import { indexGraph } from './model/graph-index.js';
import { heightOf, NODE_WIDTH, type GraphEdge, type GraphNode } from './model/graph.js';
import { GridIndex, touches } from './model/grid-index.js';
import { isCovered, regionOf, selectVisible } from './model/select-visible.js';
import { walkGraph } from './model/walk-graph.js';

const node = (id: string, x: number, y: number): GraphNode => ({
  id,
  x,
  y,
  label: id,
  tone: 'neutral',
  inputs: [],
  outputs: [],
  data: null,
});
const edge = (source: string, target: string): GraphEdge => ({ id: `${source}>${target}`, source, target });

const coordinate = fc.integer({ min: -6_000, max: 6_000 });
const someNodes = fc
  .array(fc.tuple(coordinate, coordinate), { maxLength: 60 })
  .map((places) => places.map(([x, y], index) => node(`n${index}`, x, y)));
const someRect = fc.record({
  x: coordinate,
  y: coordinate,
  width: fc.integer({ min: 0, max: 9_000 }),
  height: fc.integer({ min: 0, max: 9_000 }),
});
const someEdges = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 60 });

describe('the grid index', () => {
  it('finds the same nodes as a search through all', () => {
    fc.assert(
      fc.property(someNodes, someRect, (nodes, rect) => {
        const found = new GridIndex(nodes).find(rect);
        expect(new Set(found)).toEqual(new Set(nodes.filter((one) => touches(one, rect))));
      }),
    );
  });
});

describe('what is visible', () => {
  it('every edge in view is drawn once, as an element only between elements', () => {
    fc.assert(
      fc.property(someNodes, someEdges, someRect, (nodes, pairs, rect) => {
        const index = indexGraph(
          nodes,
          pairs.map(([a, b], position) => ({ ...edge(`n${a}`, `n${b}`), id: String(position) })),
        );
        const visible = selectVisible(index, { rect, zoom: 1 });
        const shown = new Set(visible.nodes.map(({ id }) => id));
        for (const position of visible.elementLinks) {
          expect(shown.has(index.links[position]?.source.id ?? '')).toBe(true);
          expect(visible.canvasLinks).not.toContain(position);
        }
      }),
    );
  });

  it('a small movement keeps the region, a large one does not', () => {
    const region = regionOf({ x: 0, y: 0, zoom: 1 }, 1_000, 800);
    expect(isCovered(region, { x: 200, y: -150, zoom: 1 }, 1_000, 800)).toBe(true);
    expect(isCovered(region, { x: 300, y: 0, zoom: 1 }, 1_000, 800)).toBe(false);
    expect(isCovered(region, { x: 0, y: 0, zoom: 0.3 }, 1_000, 800)).toBe(false);
  });

  it('a small zoom leaves large graphs to the canvas', () => {
    const nodes = Array.from({ length: 100 }, (_, position) => node(`n${position}`, position * 10, 0));
    const rect = { x: -100, y: -100, width: 3_000, height: 1_000 };
    expect(selectVisible(indexGraph(nodes, []), { rect, zoom: 0.3 }).nodes).toHaveLength(0);
    expect(selectVisible(indexGraph(nodes, []), { rect, zoom: 0.5 }).nodes).toHaveLength(100);
  });
});

it('a fitted view contains all nodes, unless it reaches the smallest zoom', () => {
  fc.assert(
    fc.property(someNodes, (nodes) => {
      const bounds = boundsOf(nodes);
      const view = viewRect(fitBounds(bounds, 1_280, 800), 1_280, 800);
      expect(
        containsRect(
          { ...view, x: view.x - 1e-6, y: view.y - 1e-6, width: view.width + 2e-6, height: view.height + 2e-6 },
          bounds,
        ),
      ).toBe(true);
    }),
  );
});

describe('layout', () => {
  it.each([
    ['placeByLevel', placeByLevel],
    ['layoutWithDagre', layoutWithDagre],
  ])('%s places every node once, and none over another', (_name, place) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 21 }), someEdges, (count, pairs) => {
        const nodes = Array.from({ length: count }, (_, position) => ({ id: `n${position}`, height: 56 }));
        const positions = place({ nodes, edges: pairs.map(([a, b]) => ({ source: `n${a}`, target: `n${b}` })) });
        const placed = Object.entries(positions).map(([id, { x, y }]) => node(id, x, y));
        expect(placed).toHaveLength(count);
        for (const one of placed)
          for (const other of placed)
            if (one.id < other.id) {
              const isBeside = Math.abs(one.x - other.x) >= NODE_WIDTH || Math.abs(one.y - other.y) >= heightOf(one);
              expect(isBeside).toBe(true);
            }
      }),
      { numRuns: 50 },
    );
  });

  it('the positions of the document win only if all nodes have one', () => {
    const input = {
      nodes: [
        { id: 'a', height: 56 },
        { id: 'b', height: 56 },
      ],
      edges: [{ source: 'a', target: 'b' }],
    };
    const known = new Map([['a', { x: 7, y: 7 }]]);
    expect(completePositions(input, known).positions['a']).not.toEqual({ x: 7, y: 7 });
    known.set('b', { x: 9, y: 9 });
    expect(completePositions(input, known)).toEqual({
      positions: { a: { x: 7, y: 7 }, b: { x: 9, y: 9 } },
      isComplete: true,
    });
  });
});

describe('arrow keys', () => {
  const graph = indexGraph(
    [node('a', 0, 0), node('b', 300, 0), node('c', 300, 100), node('d', 600, 50)],
    [edge('a', 'c'), edge('c', 'd')],
  );

  it('right and left follow the connections', () => {
    expect(walkGraph(graph, 'a', 'right')).toBe('c');
    expect(walkGraph(graph, 'd', 'left')).toBe('c');
  });

  it('up and down stay near the column', () => {
    expect(walkGraph(graph, 'c', 'up')).toBe('b');
    expect(walkGraph(graph, 'b', 'down')).toBe('c');
  });

  it('without a connection they go to the nearest node of that side, and begin at the first', () => {
    expect(walkGraph(graph, 'b', 'left')).toBe('a');
    expect(walkGraph(graph, 'a', 'left')).toBeUndefined();
    expect(walkGraph(graph, undefined, 'down')).toBe('a');
  });
});
