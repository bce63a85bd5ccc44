import type { KeyboardEvent } from 'react';

interface ResizeHandleProps {
  label: string;
  /** The present size with its limits, in any unit. */
  value: number;
  min: number;
  max: number;
  /** Called with the place of the pointer, in pixels of the window. */
  onDrag: (clientX: number, handle: HTMLElement) => void;
  /** Called for an arrow key: 1 for the one to the right, -1 for the one to the left. */
  onStep: (direction: 1 | -1) => void;
  className: string;
}

/** A vertical line between two parts, which the mouse drags and the arrow keys move. */
export function ResizeHandle({ label, value, min, max, onDrag, onStep, className }: ResizeHandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    onStep(event.key === 'ArrowRight' ? 1 : -1);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        // Otherwise the browser selects text.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const { currentTarget: handle } = event;
        if (handle.hasPointerCapture(event.pointerId)) onDrag(event.clientX, handle);
      }}
      className={`cursor-col-resize touch-none ${className}`}
    />
  );
}
