import type { PointerEvent } from 'react';

/** The right edge of a header, which the pointer drags. The menu of the column does the same by keyboard. */
export function ResizeHandle({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const handle = event.currentTarget;
    const start = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const onMove = (move: globalThis.PointerEvent) => onResize(width + move.clientX - start);
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', onMove), {
      once: true,
    });
  };
  return (
    <span
      aria-hidden
      data-resize
      onPointerDown={onPointerDown}
      className="absolute top-0 right-0 h-full w-1.5 cursor-col-resize hover:bg-accent-line"
    />
  );
}
