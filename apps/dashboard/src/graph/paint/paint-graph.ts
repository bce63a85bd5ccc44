import { curveOffset } from '../model/curve.js';
import type { GraphIndex } from '../model/graph-index.js';
import { heightOf, NODE_WIDTH, type GraphNode, type GraphTone } from '../model/graph.js';
import type { Region, Visible } from '../model/select-visible.js';
import type { GraphColors } from './graph-colors.js';

/** Below this zoom, labels are longer than their nodes. */
const MIN_LABEL_ZOOM = 0.15;
/** Below this zoom, a curve looks like a line, which is drawn faster. */
const MIN_CURVE_ZOOM = 0.3;
const LABEL_SIZE = 11;

interface Picture<T> {
  index: GraphIndex<T>;
  region: Region;
  visible: Visible<T>;
  selection: ReadonlySet<string>;
  colors: GraphColors;
  /** Nodes and edges at another place, which elements show. */
  isMoving: (id: string) => boolean;
}

/** Draws what no element shows. 20,000 edges take about 60 ms, which is why the picture is moved and not drawn again. */
export function paintGraph<T>(context: CanvasRenderingContext2D, picture: Picture<T>, pixelRatio: number): void {
  const { region } = picture;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  const scale = region.zoom * pixelRatio;
  context.setTransform(scale, 0, 0, scale, -region.rect.x * scale, -region.rect.y * scale);
  paintEdges(context, picture);
  // Elements show the nodes of a small part.
  if (picture.visible.nodes.length === 0) paintNodes(context, picture);
}

function paintEdges<T>(context: CanvasRenderingContext2D, picture: Picture<T>): void {
  const { index, region, visible, colors, isMoving } = picture;
  const isCurved = region.zoom >= MIN_CURVE_ZOOM;
  context.lineWidth = 1.25 / Math.min(region.zoom, 1);
  const groups = new Map<string, Path2D>();
  for (const position of visible.canvasLinks) {
    const link = index.links[position];
    if (!link || isMoving(link.source.id) || isMoving(link.target.id)) continue;
    const key = `${link.edge.isDashed ? 'dashed' : 'solid'} ${link.edge.tone ?? ''}`;
    const path = groups.get(key) ?? new Path2D();
    groups.set(key, path);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = index.ends.subarray(position * 4, position * 4 + 4);
    path.moveTo(x1, y1);
    const offset = curveOffset(x2 - x1);
    if (isCurved) path.bezierCurveTo(x1 + offset, y1, x2 - offset, y2, x2, y2);
    else path.lineTo(x2, y2);
  }
  for (const [key, path] of groups) {
    const [kind, tone] = key.split(' ');
    context.setLineDash(kind === 'dashed' ? [6, 5] : []);
    context.strokeStyle = tone ? colors.tones[tone as GraphTone].line : colors.edge;
    context.stroke(path);
  }
  context.setLineDash([]);
}

function paintNodes<T>(context: CanvasRenderingContext2D, { index, region, selection, colors }: Picture<T>): void {
  const found = index.grid.find(region.rect);
  // Selected nodes are above the others, as while they are dragged.
  const nodes = [...found.filter(({ id }) => !selection.has(id)), ...found.filter(({ id }) => selection.has(id))];
  const isLabelled = region.zoom >= MIN_LABEL_ZOOM;
  context.textBaseline = 'middle';
  context.font = `${LABEL_SIZE / region.zoom}px "Inter Variable", sans-serif`;
  for (const node of nodes) {
    const { fill, line } = colors.tones[node.tone];
    const isSelected = selection.has(node.id);
    context.beginPath();
    context.roundRect(node.x, node.y, NODE_WIDTH, heightOf(node), 6);
    context.fillStyle = isLabelled ? fill : line;
    context.fill();
    context.lineWidth = (isSelected ? 2.5 : 1) / region.zoom;
    context.strokeStyle = isSelected ? colors.selection : line;
    if (isLabelled || isSelected) context.stroke();
    if (isLabelled) paintLabel(context, node, region.zoom, colors.ink);
  }
}

/** The label without what the node has no room for. Measuring 5,000 texts would take longer than drawing them. */
function paintLabel(context: CanvasRenderingContext2D, node: GraphNode, zoom: number, ink: string): void {
  const padding = 6 / zoom;
  const room = Math.floor(((NODE_WIDTH * zoom - 12) / LABEL_SIZE) * 1.8);
  if (room < 3) return;
  const text = node.label.length > room ? `${node.label.slice(0, room - 1)}…` : node.label;
  context.fillStyle = ink;
  context.fillText(text, node.x + padding, node.y + heightOf(node) / 2, NODE_WIDTH - padding);
}
