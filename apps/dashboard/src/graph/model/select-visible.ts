import { containsRect, expandRect, viewRect, type Viewport } from './bounds.js';
import { linksIn, type GraphIndex } from './graph-index.js';
import type { GraphNode, Rect } from './graph.js';

/** Below this zoom a node's text cannot be read. */
const MIN_DETAIL_ZOOM = 0.4;
/** Small graphs keep their nodes below it, */
const MAX_SMALL_NODES = 60;
/** but not below this zoom, where only the dots of the canvas can be seen. */
const MIN_CARD_ZOOM = 0.15;
const MAX_DETAILED_NODES = 160;
const MAX_DETAILED_EDGES = 300;
/** The share of the screen that is drawn beyond each of its sides. */
const MARGIN = 0.25;

/** The part of the graph that is drawn. It changes when the view leaves it, not with every frame. */
export interface Region {
  rect: Rect;
  /** The zoom that it was chosen for. */
  zoom: number;
}

export function regionOf(viewport: Viewport, width: number, height: number): Region {
  const view = viewRect(viewport, width, height);
  return { rect: expandRect(view, view.width * MARGIN, view.height * MARGIN), zoom: viewport.zoom };
}

/** Whether the view can still be shown by moving what was drawn for a region. */
export const isCovered = ({ rect, zoom }: Region, viewport: Viewport, width: number, height: number): boolean =>
  containsRect(rect, viewRect(viewport, width, height)) &&
  viewport.zoom < zoom * 1.6 &&
  [MIN_DETAIL_ZOOM, MIN_CARD_ZOOM].every((limit) => viewport.zoom < limit === zoom < limit);

export interface Visible<T> {
  /** Nodes that are elements. Empty if the zoom is too small or too many nodes are in view: the canvas draws all then. */
  nodes: readonly GraphNode<T>[];
  /** Positions of the links that are elements. */
  elementLinks: ReadonlySet<number>;
  /** Positions of the links that the canvas draws. */
  canvasLinks: readonly number[];
}

/** @param pinned nodes that stay elements, because they have the focus or are being moved */
export function selectVisible<T>(
  index: GraphIndex<T>,
  { rect, zoom }: Region,
  pinned: ReadonlySet<string> = new Set(),
): Visible<T> {
  const inView = index.grid.find(rect);
  const isDetailed =
    zoom >= MIN_CARD_ZOOM && inView.length <= (zoom < MIN_DETAIL_ZOOM ? MAX_SMALL_NODES : MAX_DETAILED_NODES);
  const nodes = isDetailed ? inView : [];
  const shown = new Set(nodes.map(({ id }) => id));
  if (isDetailed)
    for (const id of pinned) {
      const node = index.byId.get(id);
      if (node && !shown.has(id)) {
        shown.add(id);
        nodes.push(node);
      }
    }
  const elementLinks = new Set<number>();
  const canvasLinks: number[] = [];
  for (const position of linksIn(index, rect)) {
    const link = index.links[position];
    const fits =
      link && elementLinks.size < MAX_DETAILED_EDGES && shown.has(link.source.id) && shown.has(link.target.id);
    if (fits) elementLinks.add(position);
    else canvasLinks.push(position);
  }
  return { nodes, elementLinks, canvasLinks };
}
