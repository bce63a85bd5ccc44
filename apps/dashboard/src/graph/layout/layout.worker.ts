import type { LayoutInput } from './layout-input.js';
import { layoutWithDagre } from './layout-with-dagre.js';

addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => postMessage(layoutWithDagre(data)));
