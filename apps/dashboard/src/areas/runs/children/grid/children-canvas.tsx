import { type RefObject, useEffect, useRef } from 'react';
import type { ChildStates } from '../../live/child-states.js';
import type { GridLayout } from './grid-layout.js';
import { type Painting, paintAll, paintSquares } from './grid-painter.js';
import { usePalette } from './use-palette.js';

interface ChildrenCanvasProps {
  states: ChildStates;
  layout: GridLayout;
  order: Uint32Array | undefined;
  host: RefObject<HTMLElement | null>;
}

/** More changes than this are painted faster all at once. */
const MAX_SINGLE_SQUARES = 5_000;

/** A square for each child. Changes are painted once per frame, and only the squares that changed. */
export function ChildrenCanvas({ states, layout, order, host }: ChildrenCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(host);
  const scale = Math.min(2, Math.ceil(devicePixelRatio));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !palette) return;
    const painting: Painting = { states, layout, order, palette, scale };
    let frame: number | undefined;
    states.takeChanged();
    paintAll(context, painting);
    const update = () => {
      frame = undefined;
      const changed = states.takeChanged();
      // In another order than by number, the component renders again with the new order.
      if (changed && changed.length < MAX_SINGLE_SQUARES && !order) paintSquares(context, painting, changed);
      else paintAll(context, painting);
    };
    const unsubscribe = states.subscribe(() => {
      frame ??= requestAnimationFrame(update);
    });
    return () => {
      unsubscribe();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [states, layout, order, palette, scale]);
  const width = layout.columns * layout.pitch;
  const height = layout.rows * layout.pitch;
  return (
    <canvas
      ref={canvas}
      aria-hidden
      width={width * scale}
      height={height * scale}
      className="block"
      style={{ width, height }}
    />
  );
}
