/** A node of a workflow as the graph of a run shows it. */
export interface StructureNode {
  id: string;
  label: string;
  kind: 'step' | 'module' | 'splitter' | 'approval' | 'input';
  at?: { x: number; y: number };
}

/** The nodes and connections of a version. They never change, so everything is read once. */
export interface Structure {
  nodes: StructureNode[];
  edges: { id: string; source: string; target: string; isDashed: boolean }[];
}

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const KINDS: Record<string, StructureNode['kind']> = { WORKFLOW: 'module', SPLITTER: 'splitter', APPROVAL: 'approval' };

/** Reads the graph of a version's data. What does not have the expected shape is left out. */
export function readStructure(data: unknown): Structure {
  const { nodes, primitiveNodes, connections } = fieldsOf(data);
  const steps = Object.entries(fieldsOf(nodes)).map(([id, node]) =>
    toNode(id, node, KINDS[textOf(fieldsOf(node)['type']) ?? ''] ?? 'step'),
  );
  const inputs = Object.entries(fieldsOf(primitiveNodes)).map(([id, node]) => toNode(id, node, 'input'));
  const known = new Map([...steps, ...inputs].map((node) => [node.id, node]));
  const edges = new Map<string, Structure['edges'][number]>();
  for (const connection of Array.isArray(connections) ? connections : []) {
    const [source, target] = [endOf(connection, 'source'), endOf(connection, 'destination')];
    if (source === undefined || target === undefined || !known.has(source) || !known.has(target)) continue;
    const id = `${source} ${target}`;
    edges.set(id, { id, source, target, isDashed: known.get(source)?.kind === 'splitter' });
  }
  // The run has nothing to do with an input that no node takes.
  const used = new Set([...edges.values()].map(({ source }) => source));
  return { nodes: [...inputs.filter(({ id }) => used.has(id)), ...steps], edges: [...edges.values()] };
}

function toNode(id: string, node: unknown, kind: StructureNode['kind']): StructureNode {
  const { meta, label: ownLabel, coordinates: own } = fieldsOf(node);
  const { label, coordinates } = fieldsOf(meta);
  const { x, y } = fieldsOf(coordinates ?? own);
  return {
    ...{ id, kind, label: textOf(label) ?? textOf(ownLabel) ?? id },
    ...(typeof x === 'number' && typeof y === 'number' && { at: { x, y } }),
  };
}

/** The node in `output/<node>/<port>` or `input/<node>/<input>`. */
const endOf = (connection: unknown, end: 'source' | 'destination'): string | undefined =>
  textOf(textOf(fieldsOf(fieldsOf(connection)[end])['id'])?.split('/')[1]);
