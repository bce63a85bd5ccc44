import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { type GridLayout, moveSquare, squareAt } from './grid-layout.js';
import type { GridRange } from './grid-selection.js';

interface GridInputOptions {
  layout: GridLayout;
  range: GridRange | undefined;
  onRange: (range: GridRange | undefined) => void;
  onOpen: (square: number) => void;
  /** Called after the keyboard has moved to a square. */
  onMove: (square: number) => void;
}

/**
 * What pointer and keys do in the grid. A click opens a square, and dragging selects a range. Arrows move, Shift and arrows
 * select, Space selects one, Control A all, Escape none, and Enter opens.
 */
export function useGridInput({ layout, range, onRange, onOpen, onMove }: GridInputOptions) {
  const [cursor, setCursor] = useState(0);
  const [hovered, setHovered] = useState<number>();
  /** The square where the pointer went down; a click until it leaves the square. */
  const pressed = useRef<{ square: number; isDrag: boolean }>(undefined);
  const current = Math.min(cursor, layout.count - 1);

  const squareOf = (event: PointerEvent, isClamped = false) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const square = squareAt(layout, x, y);
    if (square !== undefined || !isClamped) return square;
    const clamp = (value: number, size: number) => Math.min(Math.max(0, value), size * layout.pitch - 1);
    return squareAt(layout, clamp(x, layout.columns), clamp(y, layout.rows)) ?? layout.count - 1;
  };
  const extend = (end: number) => onRange({ anchor: range?.anchor ?? current, end });

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    if (key === 'Enter') onOpen(current);
    else if (key === ' ') onRange(range?.anchor === current && range.end === current ? undefined : at(current));
    else if (key === 'Escape' && range) onRange(undefined);
    else if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) onRange({ anchor: 0, end: layout.count - 1 });
    else {
      const next = moveSquare(layout, current, key);
      if (next === undefined || ctrlKey || metaKey) return;
      if (shiftKey) extend(next);
      setHovered(undefined);
      setCursor(next);
      onMove(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const onPointerDown = (event: PointerEvent) => {
    const square = event.button === 0 ? squareOf(event) : undefined;
    if (square === undefined) return;
    pressed.current = { square, isDrag: event.shiftKey };
    if (event.pointerType === 'mouse') event.currentTarget.setPointerCapture(event.pointerId);
    if (event.shiftKey) extend(square);
    setCursor(square);
  };
  const onPointerMove = (event: PointerEvent) => {
    const start = pressed.current;
    const isSelecting = start !== undefined && event.pointerType === 'mouse';
    const square = squareOf(event, isSelecting);
    setHovered(square);
    if (!isSelecting || square === undefined || (!start.isDrag && square === start.square)) return;
    const anchor = event.shiftKey && range ? range.anchor : start.square;
    start.isDrag = true;
    if (range?.anchor !== anchor || range.end !== square) onRange({ anchor, end: square });
    setCursor(square);
  };
  const onPointerUp = () => {
    const start = pressed.current;
    pressed.current = undefined;
    if (start && !start.isDrag) onOpen(start.square);
  };
  const onPointerLeave = () => setHovered(undefined);
  const onPointerCancel = () => (pressed.current = undefined);
  return {
    cursor: current,
    hovered: hovered !== undefined && hovered < layout.count ? hovered : undefined,
    handlers: { onKeyDown, onPointerDown, onPointerMove, onPointerUp, onPointerLeave, onPointerCancel },
  };
}

const at = (square: number): GridRange => ({ anchor: square, end: square });
