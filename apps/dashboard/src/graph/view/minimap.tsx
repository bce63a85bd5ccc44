import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { boundsOf, expandRect, viewRect } from '../model/bounds.js';
import type { GraphNode } from '../model/graph.js';
import type { GraphColors } from '../paint/graph-colors.js';
import { miniatureOf, paintMinimap } from '../paint/paint-minimap.js';

const WIDTH = 176;
const HEIGHT = 112;

interface MinimapProps {
  nodes: readonly GraphNode[];
  colors: GraphColors;
}

/** The whole graph in small, with a frame around what the screen shows. A click or drag moves the view there. */
export function Minimap({ nodes, colors }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const store = useStoreApi();
  const { setCenter, getZoom } = useReactFlow();
  const miniature = useMemo(() => miniatureOf(expandRect(boundsOf(nodes), 200, 120), WIDTH, HEIGHT), [nodes]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    canvas.current.width = WIDTH * devicePixelRatio;
    canvas.current.height = HEIGHT * devicePixelRatio;
    paintMinimap(context, nodes, miniature, colors, devicePixelRatio);
  }, [nodes, miniature, colors]);
  useLayoutEffect(() => {
    const { scale, x, y } = miniature;
    const place = () => {
      if (!frame.current) return;
      const { transform, width, height } = store.getState();
      const view = viewRect({ x: transform[0], y: transform[1], zoom: transform[2] }, width, height);
      frame.current.style.transform = `translate(${view.x * scale + x}px, ${view.y * scale + y}px)`;
      frame.current.style.width = `${view.width * scale}px`;
      frame.current.style.height = `${view.height * scale}px`;
    };
    place();
    return store.subscribe(place);
  }, [store, miniature]);
  const moveTo = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const { scale, x, y } = miniature;
    void setCenter((event.clientX - left - x) / scale, (event.clientY - top - y) / scale, { zoom: getZoom() });
  };
  return (
    <div
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={moveTo}
      style={{ width: WIDTH, height: HEIGHT }}
      className="relative overflow-hidden rounded-md border border-line bg-panel max-md:hidden"
    >
      <canvas ref={canvas} className="size-full" />
      <div
        ref={frame}
        className="pointer-events-none absolute top-0 left-0 origin-top-left rounded-sm border border-accent bg-accent/10"
      />
    </div>
  );
}
