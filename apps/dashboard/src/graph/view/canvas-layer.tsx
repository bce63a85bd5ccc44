import { useStoreApi } from '@xyflow/react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { GraphIndex } from '../model/graph-index.js';
import type { Region, Visible } from '../model/select-visible.js';
import type { GraphColors } from '../paint/graph-colors.js';
import { paintGraph } from '../paint/paint-graph.js';

interface CanvasLayerProps<T> {
  index: GraphIndex<T>;
  region: Region;
  visible: Visible<T>;
  selection: ReadonlySet<string>;
  moving: ReadonlySet<string>;
  colors: GraphColors;
}

/** The picture behind the elements. Moving the view moves the picture; it is drawn again only for another region or graph. */
export function CanvasLayer<T>({ index, region, visible, selection, moving, colors }: CanvasLayerProps<T>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi();
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const ratio = devicePixelRatio;
    const [width, height] = [region.rect.width * region.zoom, region.rect.height * region.zoom];
    canvas.current.width = Math.ceil(width * ratio);
    canvas.current.height = Math.ceil(height * ratio);
    canvas.current.style.width = `${width}px`;
    canvas.current.style.height = `${height}px`;
    paintGraph(context, { index, region, visible, selection, colors, isMoving: (id) => moving.has(id) }, ratio);
  }, [index, region, visible, selection, moving, colors]);
  useLayoutEffect(() => {
    const place = () => {
      const [x, y, zoom] = store.getState().transform;
      if (canvas.current)
        canvas.current.style.transform = `translate(${x + region.rect.x * zoom}px, ${y + region.rect.y * zoom}px) scale(${zoom / region.zoom})`;
    };
    place();
    return store.subscribe(place);
  }, [store, region]);
  useEffect(() => {
    // The font may arrive after the first picture.
    void document.fonts.load('11px "Inter Variable"');
  }, []);
  return <canvas ref={canvas} aria-hidden className="pointer-events-none absolute top-0 left-0 origin-top-left" />;
}
