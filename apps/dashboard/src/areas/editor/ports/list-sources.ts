import type { Document } from '../document/document.js';
import { checkPorts } from './check-ports.js';
import { listOutputs } from './list-ports.js';

/** All outputs that fit an input. */
export function listSources(
  document: Document,
  target: { node: string; port: string },
): { node: string; port: string }[] {
  const ends = [
    ...Object.keys(document.primitiveNodes).map((node) => ({ node, port: 'output' })),
    ...Object.entries(document.nodes).flatMap(([node, record]) =>
      listOutputs(record).map(({ name: port }) => ({ node, port })),
    ),
  ];
  return ends.filter((source) => checkPorts(document, source, target) === null);
}
