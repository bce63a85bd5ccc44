import type { LayoutInput, Positions } from './layout-input.js';
import { placeByLevel } from './place-by-level.js';

/** Above this, dagre takes longer than anyone waits. */
const MAX_DAGRE_NODES = 1_500;

/** Lays a graph out in a worker, so that the page stays responsive. */
export function requestLayout(input: LayoutInput, signal?: AbortSignal): Promise<Positions> {
  if (input.nodes.length > MAX_DAGRE_NODES) return Promise.resolve(placeByLevel(input));
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Positions>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The layout was cancelled.', 'AbortError')));
    worker.addEventListener('message', ({ data }: MessageEvent<Positions>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(`The layout failed: ${message}`)));
    worker.postMessage(input);
  }).finally(() => worker.terminate());
}
