import type { NodeRecord } from '../../document/document.js';
import { updateNode } from '../../edits/node-edits.js';
import { useEditor } from '../../session/editor-context.js';

/** Edits of one node by a field: keystrokes in the same field are one step to undo. */
export function useNodeEdit(id: string) {
  const { session } = useEditor();
  return {
    /** Sets a field; undefined removes it. */
    set: <F extends keyof NodeRecord>(field: F, value: NodeRecord[F] | undefined) =>
      session.edit(
        updateNode(session.document.get(), id, (node) => withField(node, field, value)),
        `Edit ${id}`,
        `${id} ${field}`,
      ),
    update: (tag: string, change: (node: NodeRecord) => NodeRecord) =>
      session.edit(updateNode(session.document.get(), id, change), `Edit ${id}`, `${id} ${tag}`),
    close: () => session.closeStep(),
  };
}

export function withField<R extends object, F extends string>(record: R, field: F, value: unknown): R {
  const { [field]: _old, ...rest } = record as Record<string, unknown>;
  return (value === undefined ? rest : { ...record, [field]: value }) as R;
}
