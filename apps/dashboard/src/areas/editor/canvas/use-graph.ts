import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { LayoutInput, Positions } from '../../../graph/layout/layout-input.js';
import { placeByLevel } from '../../../graph/layout/place-by-level.js';
import { requestLayout } from '../../../graph/layout/request-layout.js';
import type { Point } from '../../../graph/model/graph.js';
import type { Document } from '../document/document.js';
import { coordinatesOf } from '../edits/coordinates.js';
import { bindingsQuery } from '../session/bindings-query.js';
import { useDocument, useEditor, useValidation } from '../session/editor-context.js';
import { GraphDeriver } from './derive-graph.js';
import { layoutInput } from './layout-input.js';

/** Sizes are needed only for a layout, and take 60 ms for 5,000 nodes. */
function placeNodes(document: Document): { positions: Positions; isComplete: boolean; input: LayoutInput | undefined } {
  const ids = [...Object.keys(document.primitiveNodes), ...Object.keys(document.nodes)];
  const known = new Map<string, Point>();
  for (const id of ids) {
    const at = coordinatesOf(document, id);
    if (at) known.set(id, at);
  }
  if (known.size === ids.length && areApart(known))
    return { positions: Object.fromEntries(known), isComplete: true, input: undefined };
  const input = layoutInput(document);
  return { input, positions: placeByLevel(input), isComplete: false };
}

/** Where the nodes are: as the document says, or laid out if it does not place all of them. */
export function usePositions(): { positions: Positions; isComplete: boolean } {
  const document = useDocument();
  const placed = useMemo(() => placeNodes(document), [document]);
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

/** Files that people write often have all nodes at the same place, as the library gives them. */
function areApart(known: ReadonlyMap<string, Point>): boolean {
  const places = new Set([...known.values()].map(({ x, y }) => `${x} ${y}`));
  return known.size < 2 || places.size > known.size / 2;
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
  return useMemo(
    () => deriver.derive(document, { problems: problems.byNode, tables, positions }),
    [deriver, document, problems, tables, positions],
  );
}
