import { useMemo } from 'react';
import type { GraphIndex } from '../model/graph-index.js';

/** Enough to learn a graph by; the keys reach all nodes. */
const MAX_LISTED = 200;

interface NodeListProps<T> {
  index: GraphIndex<T>;
  current: string | undefined;
}

/** The graph as text, and the current node as it changes, for screen readers. */
export function NodeList<T>({ index, current }: NodeListProps<T>) {
  const list = useMemo(() => listNodes(index), [index]);
  const node = current === undefined ? undefined : index.byId.get(current);
  return (
    <div className="sr-only">
      <p role="status">{node ? describeNode(index, node.id) : ''}</p>
      {list}
    </div>
  );
}

const listNodes = <T,>(index: GraphIndex<T>) => (
  <>
    <ul aria-label="Nodes">
      {index.nodes.slice(0, MAX_LISTED).map(({ id }) => (
        <li key={id}>{describeNode(index, id)}</li>
      ))}
    </ul>
    {index.nodes.length > MAX_LISTED && <p>and {index.nodes.length - MAX_LISTED} more nodes</p>}
  </>
);

function describeNode<T>(index: GraphIndex<T>, id: string): string {
  const node = index.byId.get(id);
  const after = (index.incoming.get(id) ?? []).map(({ source }) => source.label);
  const facts = [
    node?.label,
    node?.description,
    after.length > 0 && `after ${[...new Set(after)].slice(0, 5).join(', ')}`,
  ];
  return facts.filter(Boolean).join(', ');
}
