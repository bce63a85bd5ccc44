import type { LayoutInput, Positions } from './layout-input.js';
// oxlint-disable-next-line import/default -- vite makes the default export
import layoutWorkerUrl from './layout.worker.ts?worker&url';
import { placeByLevel } from './place-by-level.js';
import { startWorker } from './start-worker.js';

/** Above this, dagre takes longer than anyone waits. */
const MAX_DAGRE_NODES = 1_500;

/** Lays a graph out in a worker, so that the page stays responsive. */
export function requestLayout(input: LayoutInput, signal?: AbortSignal): Promise<Positions> {
  if (input.nodes.length > MAX_DAGRE_NODES) return Promise.resolve(placeByLevel(input));
  const worker = startWorker(layoutWorkerUrl);
  return new Promise<Positions>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The layout was cancelled.', 'AbortError')));
    worker.addEventListener('message', ({ data }: MessageEvent<Positions>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(`The layout failed: ${message}`)));
    worker.postMessage(input);
  }).finally(() => worker.terminate());
}
