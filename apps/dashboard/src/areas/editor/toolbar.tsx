import type { RefObject } from 'react';
import type { GraphHandle } from '../../graph/graph-view.js';
import type { GraphNode } from '../../graph/model/graph.js';
import { type Store, useStore } from '../../store/create-store.js';
import { IconButton } from '../../ui/button.js';
import { Menu } from '../../ui/menu.js';
import type { NodeFace } from './canvas/derive-graph.js';
import type { EditorView } from './editor-search.js';
import type { Alignment } from './edits/align-nodes.js';
import type { EditorDialog } from './session/dialogs.js';
import {
  addNoteNear,
  alignSelected,
  deleteSelected,
  duplicateSelected,
  groupSelected,
  layoutAll,
} from './session/editor-actions.js';
import { useEditor } from './session/editor-context.js';

const ALIGNMENTS: readonly (readonly { alignment: Alignment; label: string }[])[] = [
  [
    { alignment: 'left', label: 'Left sides' },
    { alignment: 'center', label: 'Centers' },
    { alignment: 'right', label: 'Right sides' },
  ],
  [
    { alignment: 'top', label: 'Top sides' },
    { alignment: 'middle', label: 'Middles' },
    { alignment: 'bottom', label: 'Bottom sides' },
  ],
  [
    { alignment: 'row', label: 'As a row' },
    { alignment: 'column', label: 'As a column' },
  ],
];

interface ToolbarProps {
  graph: { nodes: readonly GraphNode<NodeFace>[] };
  handle: RefObject<GraphHandle | null>;
  view: EditorView | undefined;
  setView: (view: EditorView | undefined) => void;
  isLibraryOpen: Store<boolean>;
  onDialog: (dialog: EditorDialog) => void;
}

/** Commands of the editor that the mouse needs; each has a shortcut as well. */
export function Toolbar({ graph, handle, view, setView, isLibraryOpen, onDialog }: ToolbarProps) {
  const { session, canEdit } = useEditor();
  const history = useStore(session.history);
  const selection = useStore(session.selection);
  const edge = useStore(session.selectedEdge);
  const isLibraryShown = useStore(isLibraryOpen);
  const [undo, redo] = [history.done.at(-1), history.undone.at(-1)];
  const isYaml = view === 'yaml';
  return (
    <div
      role="toolbar"
      aria-label="Editor"
      className="flex flex-wrap items-center gap-0.5 border-b border-line px-3 py-1"
    >
      {canEdit && (
        <>
          <IconButton
            icon="library"
            label={isLibraryShown ? 'Hide the library' : 'Show the library'}
            aria-pressed={isLibraryShown}
            disabled={isYaml}
            onClick={() => isLibraryOpen.set(!isLibraryShown)}
          />
          <Divider />
          <IconButton
            icon="undo"
            label={undo ? `Undo: ${undo.label}` : 'Undo'}
            disabled={!undo}
            onClick={() => session.undo()}
          />
          <IconButton
            icon="redo"
            label={redo ? `Redo: ${redo.label}` : 'Redo'}
            disabled={!redo}
            onClick={() => session.redo()}
          />
          <Divider />
          <IconButton
            icon="arrange"
            label="Lay out all nodes"
            disabled={isYaml}
            onClick={() => void layoutAll(session).then(() => handle.current?.fit())}
          />
          <Menu
            align="start"
            trigger={<IconButton icon="align" label="Align" disabled={isYaml || selection.size < 2} />}
            groups={ALIGNMENTS.map((group) =>
              group.map(({ alignment, label }) => ({
                label,
                onSelect: () => alignSelected(session, graph.nodes, alignment),
              })),
            )}
          />
          <IconButton
            icon="layers"
            label="Group the selected nodes"
            disabled={isYaml || selection.size === 0}
            onClick={() => groupSelected(session)}
          />
          <IconButton
            icon="stickyNote"
            label="Add a note"
            disabled={isYaml}
            onClick={() => {
              const { x, y } = handle.current?.center() ?? { x: 0, y: 0 };
              const rect = addNoteNear(session, { x: x - 120, y: y - 60 });
              handle.current?.showRect(rect);
            }}
          />
          <Divider />
          <IconButton
            icon="copy"
            label="Duplicate"
            disabled={isYaml || selection.size === 0}
            onClick={() => duplicateSelected(session)}
          />
          <IconButton
            icon="trash"
            label="Delete"
            disabled={isYaml || (selection.size === 0 && edge === undefined)}
            onClick={() => deleteSelected(session)}
          />
        </>
      )}
      <IconButton icon="search" label="Find a node" disabled={isYaml} onClick={() => onDialog({ kind: 'find' })} />
      <span className="flex-1" />
      <IconButton
        icon="braces"
        label="YAML"
        aria-pressed={isYaml}
        className={PRESSED}
        onClick={() => setView(isYaml ? undefined : 'yaml')}
      />
      <IconButton
        icon="history"
        label="Versions"
        aria-pressed={view === 'versions'}
        className={PRESSED}
        onClick={() => setView(view === 'versions' ? undefined : 'versions')}
      />
    </div>
  );
}

const PRESSED = 'aria-pressed:bg-pressed aria-pressed:text-ink';

const Divider = () => <span aria-hidden className="mx-1.5 h-5 w-px bg-line" />;
