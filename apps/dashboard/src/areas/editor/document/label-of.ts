import type { Document } from './document.js';

/** A label that the library writes by itself: the name of the node without its number. */
const isAutomatic = (label: string, id: string): boolean => label === id.replace(/-\d+$/, '');

/** What people call a node or an input: its label, or its name if it has none of its own. */
export function labelOf({ nodes, primitiveNodes }: Pick<Document, 'nodes' | 'primitiveNodes'>, id: string): string {
  const label = nodes[id]?.meta?.label ?? primitiveNodes[id]?.label ?? '';
  return label.trim() === '' || isAutomatic(label, id) ? id : label;
}
