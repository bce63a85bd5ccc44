import type { RefObject } from 'react';
import type { GraphHandle } from '../../graph/graph-view.js';
import type { GraphNode } from '../../graph/model/graph.js';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.js';
import type { NodeFace } from './canvas/derive-graph.js';
import { insertAfter } from './canvas/editor-canvas.js';
import type { EditorView } from './editor-search.js';
import { placeNear } from './library/add-item.js';
import type { EditorDialog } from './session/dialogs.js';
import { duplicateSelected, groupSelected, layoutAll, nudgeSelected, selectAll } from './session/editor-actions.js';
import { useEditor } from './session/editor-context.js';

interface EditorShortcuts {
  graph: { nodes: readonly GraphNode<NodeFace>[] };
  handle: RefObject<GraphHandle | null>;
  openDialog: (dialog: EditorDialog) => void;
  isDialogOpen: boolean;
  view: EditorView | undefined;
  setView: (view: EditorView | undefined) => void;
}

const NUDGE = 16;

/** The keys of the editor. Those without `run` work by other means, and are listed only. */
export function useEditorShortcuts({ graph, handle, openDialog, isDialogOpen, view, setView }: EditorShortcuts): void {
  const { session, canEdit, canRun } = useEditor();
  const isYaml = view === 'yaml';
  const add = () => {
    const [id] = session.selection.get();
    const center = handle.current?.center() ?? { x: 0, y: 0 };
    if (id !== undefined && session.selection.get().size === 1) openDialog(insertAfter(session, graph.nodes, id));
    else openDialog({ kind: 'insert', at: placeNear(center, graph.nodes) });
  };
  const nudge = (key: string, dx: number, dy: number): Shortcut => ({
    keys: `alt+${key}`,
    label: 'Move the selected nodes',
    run: () => nudgeSelected(session, dx * NUDGE, dy * NUDGE),
  });
  const editing: Shortcut[] = [
    { keys: 'a', label: 'Add a step, after the selected node', run: add },
    { keys: 'tab', label: 'Add a step after the selected node' },
    { keys: 'mod+z', label: 'Undo', run: () => session.undo(), inInputs: false },
    { keys: 'mod+shift+z', label: 'Redo', run: () => session.redo(), inInputs: false },
    { keys: 'mod+y', label: 'Redo', run: () => session.redo(), inInputs: false },
    { keys: 'mod+x', label: 'Cut the selected nodes' },
    { keys: 'mod+v', label: 'Paste nodes' },
    { keys: 'mod+d', label: 'Duplicate the selected nodes', run: () => duplicateSelected(session), inInputs: false },
    { keys: 'mod+g', label: 'Group the selected nodes', run: () => groupSelected(session), inInputs: false },
    { keys: 'delete', label: 'Delete what is selected' },
    { keys: 'l', label: 'Lay out all nodes', run: () => void layoutAll(session).then(() => handle.current?.fit()) },
    nudge('arrowleft', -1, 0),
    nudge('arrowright', 1, 0),
    nudge('arrowup', 0, -1),
    nudge('arrowdown', 0, 1),
  ];
  const reading: Shortcut[] = [
    { keys: 'arrowright', label: 'Go along the connections, in all four directions' },
    { keys: 'enter', label: 'Open the selected node' },
    { keys: 'escape', label: 'Clear the selection' },
    { keys: '/', label: 'Find a node', run: () => openDialog({ kind: 'find' }) },
    { keys: 'mod+a', label: 'Select all nodes', run: () => selectAll(session), inInputs: false },
    { keys: 'mod+c', label: 'Copy the selected nodes as YAML' },
    { keys: 'f', label: 'Show everything', run: () => handle.current?.fit() },
    { keys: 'e', label: 'Go to the canvas', run: () => handle.current?.focus() },
  ];
  const all: Shortcut[] = [
    ...(isYaml ? [] : reading),
    ...(canEdit && !isYaml ? editing : []),
    // Also without the right to save: otherwise the browser saves the page as a file.
    { keys: 'mod+s', label: 'Save a version', run: () => canEdit && openDialog({ kind: 'save' }) },
    ...(canRun ? [{ keys: 'r', label: 'Run', run: () => openDialog({ kind: 'run' }) }] : []),
    { keys: 'y', label: 'YAML', run: () => setView(isYaml ? undefined : 'yaml') },
    { keys: 'v', label: 'Versions', run: () => setView(view === 'versions' ? undefined : 'versions') },
  ];
  useShortcuts(isDialogOpen ? [] : all);
}
