import { Keys } from '../../../keyboard/keys.js';
import { useEditor } from '../session/editor-context.js';

/** The first steps, over a workflow without nodes. */
export function EmptyCanvas() {
  const { canEdit } = useEditor();
  return (
    <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-2 p-8 text-center">
      <h2>This workflow has no nodes yet</h2>
      {canEdit && (
        <p className="max-w-sm text-sm text-muted">
          Drag a step from the library to the canvas, or press <Keys keys="a" /> to add one by typing. Then drag from
          the port at its right side to connect it with the next.
        </p>
      )}
    </div>
  );
}
