import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { LayoutInput, Positions } from '../../../graph/layout/layout-input.js';
import { requestLayout } from '../../../graph/layout/request-layout.js';
import type { GraphNode } from '../../../graph/model/graph.js';
import { bindingsQuery } from '../session/bindings-query.js';
import { useDocument, useEditor, useValidation } from '../session/editor-context.js';
import { GraphDeriver } from './derive-graph.js';
import { NodePlacer } from './place-nodes.js';

/** Where the nodes are: as the document says, or laid out if it does not place all of them. */
export function usePositions(): { positions: Positions; isComplete: boolean } {
  const document = useDocument();
  const [placer] = useState(() => new NodePlacer());
  const placed = useMemo(() => placer.place(document), [placer, document]);
  const [better, setBetter] = useState<{ key: string; positions: Positions }>();
  const key = useMemo(() => (placed.input ? JSON.stringify(placed.input) : ''), [placed]);
  useEffect(() => {
    if (key === '') return;
    const request = new AbortController();
    requestLayout(JSON.parse(key) as LayoutInput, request.signal).then(
      (positions) => setBetter({ key, positions }),
      // The quick layout stays.
      () => undefined,
    );
    return () => request.abort();
  }, [key]);
  return useMemo(
    () => ({
      positions: key !== '' && better?.key === key ? better.positions : placed.positions,
      isComplete: placed.isComplete,
    }),
    [key, better, placed],
  );
}

const NO_TABLES: ReadonlyMap<string, readonly string[]> = new Map();

/** The names of the tables that each node's outputs are loaded into. */
export function useBoundTables(workflow: string): ReadonlyMap<string, readonly string[]> {
  const { data } = useQuery(bindingsQuery(workflow));
  return useMemo(() => {
    if (!data) return NO_TABLES;
    const tables = new Map<string, string[]>();
    for (const { node, table } of data) tables.set(node, [...(tables.get(node) ?? []), table]);
    return tables;
  }, [data]);
}

/** The drawn graph of the open document. */
export function useGraph(positions: Positions) {
  const document = useDocument();
  const { workflow } = useEditor();
  const { problems } = useValidation();
  const tables = useBoundTables(workflow.id);
  const [deriver] = useState(() => new GraphDeriver());
  const graph = useMemo(
    () => deriver.derive(document, { problems: problems.byNode, tables, positions }),
    [deriver, document, problems, tables, positions],
  );
  return useSettledFaces(graph);
}

/** To draw more nodes again takes longer than a keystroke may. */
const MAX_IMMEDIATE_NODES = 500;
const SETTLE_MS = 200;

/** Shows what an edit has changed on the cards of a large graph after a pause, and everything else at once. */
function useSettledFaces<G extends { nodes: readonly GraphNode[]; edges: readonly unknown[] }>(graph: G): G {
  const [shown, setShown] = useState(graph);
  const isDelayed = shown !== graph && shown.nodes.length > MAX_IMMEDIATE_NODES && haveSamePlaces(shown, graph);
  if (shown !== graph && !isDelayed) setShown(graph);
  useEffect(() => {
    if (!isDelayed) return;
    const timer = setTimeout(() => setShown(graph), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [graph, isDelayed]);
  return isDelayed ? shown : graph;
}

function haveSamePlaces(
  before: { nodes: readonly GraphNode[]; edges: readonly unknown[] },
  after: { nodes: readonly GraphNode[]; edges: readonly unknown[] },
): boolean {
  if (before.edges !== after.edges || before.nodes.length !== after.nodes.length) return false;
  return after.nodes.every((node, index) => {
    const old = before.nodes[index];
    return old === node || (old?.id === node.id && old.x === node.x && old.y === node.y);
  });
}
