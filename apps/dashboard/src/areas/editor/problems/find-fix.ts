import type { Diff } from '../document/diff.js';
import type { Document } from '../document/document.js';
import { disconnect } from '../edits/connection-edits.js';
import { removeNodes, updateNode } from '../edits/node-edits.js';
import { indexConnections } from '../ports/connection-index.js';
import type { Problem } from './problems.js';

export interface Fix {
  label: string;
  diff: Diff;
}

/** The edit that a problem's hint describes, if it is unambiguous. */
export function findFix(document: Document, id: string, { code, port, hint, message }: Problem): Fix | undefined {
  const node = document.nodes[id];
  if (code === 'unused_primitive' && document.primitiveNodes[id])
    return { label: 'Remove the input', diff: removeNodes(document, new Set([id])) };
  if (!node) return undefined;
  if (code === 'missing_input' && port !== undefined && node.inputs?.[port])
    return {
      label: `Leave “${port}” out`,
      diff: updateNode(document, id, (old) => ({
        ...old,
        inputs: { ...old.inputs, [port]: { ...(old.inputs?.[port] ?? { type: 'STRING' }), visible: false } },
      })),
    };
  if ((code === 'type_mismatch' || code === 'unknown_param') && port !== undefined) {
    const refused = (indexConnections(document).into.get(id) ?? []).filter(({ targetPort }) => targetPort === port);
    if (refused.length > 0)
      return {
        label: 'Remove the connection',
        diff: disconnect(
          document,
          refused.map(({ key }) => key),
        ),
      };
  }
  const similar = /^Did you mean [“"`](.+)[”"`]\?$/.exec(hint ?? '')?.[1];
  const wrong = /"([^"]+)" does not exist/.exec(message)?.[1];
  if (code === 'unknown_reference' && wrong !== undefined && similar !== undefined && node.when?.includes(wrong))
    return {
      label: `Use “${similar}”`,
      diff: updateNode(document, id, (old) => ({ ...old, when: old.when?.replace(wrong, similar) })),
    };
  if (code === 'unknown_input' && port !== undefined && similar !== undefined && node.inputs?.[port])
    return {
      label: `Use “${similar}”`,
      diff: updateNode(document, id, (old) => {
        const { [port]: input, ...inputs } = old.inputs ?? {};
        return { ...old, inputs: { ...inputs, ...(input && { [similar]: input }) } };
      }),
    };
  return undefined;
}
