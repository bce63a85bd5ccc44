import { useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Point } from '../../../graph/model/graph.js';
import { IconButton } from '../../../ui/button.js';
import { change } from '../document/diff.js';
import type { AnnotationRecord } from '../document/document.js';
import { NOTE_SIZE } from '../edits/free-place.js';
import { moveNodes, removeNodes } from '../edits/node-edits.js';
import { useEditor } from '../session/editor-context.js';

const NUDGES: Record<string, readonly [dx: number, dy: number]> = {
  ArrowLeft: [-16, 0],
  ArrowRight: [16, 0],
  ArrowUp: [0, -16],
  ArrowDown: [0, 16],
};

/** A note on the canvas: its bar moves it, or Alt with an arrow; its text is edited in place. */
export function Note({ id, note }: { id: string; note: AnnotationRecord }) {
  const { session, canEdit } = useEditor();
  const { getZoom } = useReactFlow();
  const [drag, setDrag] = useState<{ from: Point; by: Point }>();
  const { x, y } = note.coordinates ?? { x: 0, y: 0 };
  const text = useRef<HTMLTextAreaElement>(null);
  const isNew = useRef(canEdit && note.text === '' && session.history.get().done.at(-1)?.label === 'Add a note');
  useEffect(() => {
    if (isNew.current) text.current?.focus({ preventScroll: true });
  }, []);
  const nudge = (event: KeyboardEvent) => {
    const by = event.altKey && canEdit ? NUDGES[event.key] : undefined;
    if (!by) return;
    event.preventDefault();
    session.editPlaced(
      (document) => moveNodes(document, new Map([[id, { x: x + by[0], y: y + by[1] }]])),
      'Move the note',
    );
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (!canEdit || event.target !== event.currentTarget) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: { x: event.clientX, y: event.clientY }, by: { x: 0, y: 0 } });
  };
  const follow = (event: PointerEvent) => {
    if (!drag) return;
    const zoom = getZoom();
    setDrag({ ...drag, by: { x: (event.clientX - drag.from.x) / zoom, y: (event.clientY - drag.from.y) / zoom } });
  };
  const end = () => {
    if (drag && (drag.by.x !== 0 || drag.by.y !== 0)) {
      const at = { x: Math.round(x + drag.by.x), y: Math.round(y + drag.by.y) };
      session.editPlaced((document) => moveNodes(document, new Map([[id, at]])), 'Move the note');
    }
    setDrag(undefined);
  };
  return (
    <div
      style={{
        left: x + (drag?.by.x ?? 0),
        top: y + (drag?.by.y ?? 0),
        width: note.width ?? NOTE_SIZE.width,
        minHeight: note.height ?? NOTE_SIZE.height,
      }}
      className="nodrag nopan pointer-events-auto absolute -z-10 flex flex-col rounded-md border border-(--amber-6) bg-stopped-soft"
    >
      <div
        onPointerDown={begin}
        onPointerMove={follow}
        onPointerUp={end}
        className={`flex h-7 items-center justify-end ${canEdit ? 'cursor-grab' : ''}`}
      >
        {canEdit && (
          <IconButton
            icon="x"
            label="Delete the note"
            onClick={() => session.edit(removeNodes(session.document.get(), new Set([id])), 'Delete the note')}
          />
        )}
      </div>
      <textarea
        ref={text}
        onKeyDown={nudge}
        aria-label="Text of the note"
        dir="auto"
        value={note.text}
        readOnly={!canEdit}
        placeholder="Write a note"
        onChange={(event) =>
          session.edit(
            [change(session.document.get(), 'annotations', id, { ...note, text: event.target.value })],
            'Edit the note',
            `note ${id}`,
          )
        }
        onBlur={() => session.closeStep()}
        className="nowheel min-h-20 flex-1 resize-none bg-transparent px-3 pb-2 text-sm outline-none focus-visible:ring-1 focus-visible:ring-accent"
      />
    </div>
  );
}
