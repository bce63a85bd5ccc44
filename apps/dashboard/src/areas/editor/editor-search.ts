/** What is shown beside the canvas, or in its place. */
export type EditorView = 'yaml' | 'versions';

export interface EditorSearch {
  /** The selected node. */
  node?: string | undefined;
  view?: EditorView | undefined;
  /** Id or name of a library module that is added when the editor opens. */
  add?: string | undefined;
  /** Opens the dialog that starts a run. */
  run?: '1';
}

const VIEWS: readonly EditorView[] = ['yaml', 'versions'];

export function readEditorSearch(search: Record<string, unknown>): EditorSearch {
  const { node, view, add, run } = search;
  return {
    ...(typeof node === 'string' && node !== '' && { node }),
    ...(VIEWS.includes(view as EditorView) && { view: view as EditorView }),
    ...(typeof add === 'string' && add !== '' && { add }),
    ...(run === '1' && { run }),
  };
}
