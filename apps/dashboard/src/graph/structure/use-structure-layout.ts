import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { completePositions } from '../layout/complete-positions.js';
import type { Positions } from '../layout/layout-input.js';
import { requestLayout } from '../layout/request-layout.js';
import { NODE_HEIGHT, type Point } from '../model/graph.js';
import type { Structure } from './read-structure.js';

/** Where the nodes of a version are: where its author put them, or laid out once. */
export function useStructureLayout(version: string, structure: Structure): Positions {
  const placed = useMemo(() => {
    const input = { nodes: structure.nodes.map(({ id }) => ({ id, height: NODE_HEIGHT })), edges: structure.edges };
    const known = new Map(structure.nodes.flatMap(({ id, at }) => (at ? [[id, at] as [string, Point]] : [])));
    const places = new Set([...known.values()].map(({ x, y }) => `${x} ${y}`));
    // Files that people write often have all nodes at the same place.
    const areApart = known.size < 2 || places.size > known.size / 2;
    return { input, ...completePositions(input, areApart ? known : new Map()) };
  }, [structure]);
  const { data } = useQuery({
    queryKey: ['graph', 'layout', version],
    queryFn: ({ signal }) => requestLayout(placed.input, signal),
    enabled: !placed.isComplete,
    staleTime: Infinity,
  });
  return placed.isComplete ? placed.positions : (data ?? placed.positions);
}
