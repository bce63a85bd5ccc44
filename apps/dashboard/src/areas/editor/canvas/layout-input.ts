import type { LayoutInput } from '../../../graph/layout/layout-input.js';
import { heightOf } from '../../../graph/model/graph.js';
import type { Document } from '../document/document.js';
import { indexConnections } from '../ports/connection-index.js';
import { shownPorts } from '../ports/list-ports.js';

/** What the layout of a document depends on. */
export function layoutInput(document: Document): LayoutInput {
  const heights = (id: string) => heightOf(asLengths(shownPorts(document, id)));
  return {
    nodes: [...Object.keys(document.primitiveNodes), ...Object.keys(document.nodes)].map((id) => ({
      id,
      height: heights(id),
    })),
    edges: indexConnections(document).all.map(({ source, target }) => ({ source, target })),
  };
}

const asLengths = ({ inputs, outputs }: ReturnType<typeof shownPorts>) => ({
  inputs: inputs.map(({ name }) => ({ id: name, label: name })),
  outputs: outputs.map(({ name }) => ({ id: name, label: name })),
});
