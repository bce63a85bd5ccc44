import type { ContentFormat } from './detect-format.js';

/** How a content is shown. */
export type PreviewView = 'image' | 'tree' | 'grid' | 'text' | 'hex';

export const VIEW_LABELS: Record<PreviewView, string> = {
  image: 'Image',
  tree: 'Tree',
  grid: 'Grid',
  text: 'Text',
  hex: 'Hex',
};

const VIEWS: Record<ContentFormat, readonly [PreviewView, ...PreviewView[]]> = {
  image: ['image', 'hex'],
  json: ['tree', 'text', 'hex'],
  'json-lines': ['grid', 'text', 'hex'],
  csv: ['grid', 'text', 'hex'],
  tsv: ['grid', 'text', 'hex'],
  text: ['text', 'hex'],
  binary: ['hex', 'text'],
};

/**
 * The views that make sense for a format, the best one first. A tree needs the whole JSON document.
 * @param isCut whether only the first part of the content is known
 */
export function listViews(format: ContentFormat, isCut: boolean): readonly [PreviewView, ...PreviewView[]] {
  return format === 'json' && isCut ? ['text', 'hex'] : VIEWS[format];
}
