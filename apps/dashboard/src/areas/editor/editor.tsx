import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { GraphHandle } from '../../graph/graph-view.js';
import { useStore } from '../../store/create-store.js';
import { createStoredValue } from '../../store/stored-value.js';
import { Page } from '../../ui/page.js';
import { Skeleton } from '../../ui/skeleton.js';
import { EditorCanvas } from './canvas/editor-canvas.js';
import { EmptyCanvas } from './canvas/empty-canvas.js';
import { useClipboard } from './canvas/use-clipboard.js';
import { useGraph, usePositions } from './canvas/use-graph.js';
import { DraftNotice } from './draft-notice.js';
import { EditorDialogs } from './editor-dialogs.js';
import { useEditorHeader } from './editor-header.js';
import { addItem, placeAfter, placeNear } from './library/add-item.js';
import { LibraryDrawer } from './library/library-drawer.js';
import type { LibraryItem } from './library/library-item.js';
import { useModuleInUrl } from './library/use-module-in-url.js';
import { DockedPanel } from './panel/docked-panel.js';
import { ItemPanel } from './panel/item-panel.js';
import { ProblemsPanel } from './panel/problems-panel.js';
import { editorRoute } from './routes.js';
import type { EditorDialog } from './session/dialogs.js';
import { useEditor } from './session/editor-context.js';
import type { OpenedWorkflow } from './session/open-workflow.js';
import { Toolbar } from './toolbar.js';
import { useEditorShortcuts } from './use-editor-shortcuts.js';
import { useSelectionInUrl } from './use-selection-in-url.js';

const YamlView = lazy(() => import('./yaml/yaml-view.js').then(({ YamlView }) => ({ default: YamlView })));
const VersionList = lazy(() =>
  import('./versions/version-list.js').then(({ VersionList }) => ({ default: VersionList })),
);

/** On narrower screens the library would cover the canvas. */
const MIN_LIBRARY_WIDTH = 900;

const isLibraryOpen = createStoredValue('editor.library', innerWidth >= MIN_LIBRARY_WIDTH, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** The parts of the editor around the canvas. */
export function Editor({ opened }: { opened: OpenedWorkflow }) {
  const { session, canEdit } = useEditor();
  const navigate = useNavigate();
  const search = editorRoute.useSearch();
  const selection = useStore(session.selection);
  const edge = useStore(session.selectedEdge);
  const isLibraryShown = useStore(isLibraryOpen) && canEdit && search.view !== 'yaml';
  const [dialog, setDialog] = useState<EditorDialog | undefined>(search.run === '1' ? { kind: 'run' } : undefined);
  const [focused, setFocused] = useState({ id: '', count: 0 });
  const handle = useRef<GraphHandle>(null);
  const dragged = useRef<LibraryItem | null>(null);
  const places = usePositions();
  const graph = useGraph(places.positions);
  useEffect(() => session.places.set(places), [session, places]);
  useClipboard(handle);
  useSelectionInUrl(session, search.node);

  const openNode = useCallback((id: string) => setFocused(({ count }) => ({ id, count: count + 1 })), []);
  // The panel of another node must not take the focus.
  if (focused.id !== '' && !selection.has(focused.id)) setFocused({ id: '', count: 0 });
  const setView = (view: typeof search.view) =>
    void navigate({ from: editorRoute.fullPath, search: (old) => ({ ...old, view }) });
  useEditorShortcuts({
    graph,
    handle,
    openDialog: setDialog,
    isDialogOpen: dialog !== undefined,
    view: search.view,
    setView,
  });

  /** After the selected node, connected with it; otherwise in the middle of the view. */
  const add = (item: LibraryItem) => {
    const [id] = selection;
    const after = selection.size === 1 ? graph.nodes.find((node) => node.id === id) : undefined;
    const at = after
      ? placeAfter(after, graph.nodes)
      : placeNear(handle.current?.center() ?? { x: 0, y: 0 }, graph.nodes);
    const port = after?.outputs[0]?.id;
    const isInput = item.outline.table === 'primitiveNodes';
    void addItem(
      session,
      item,
      at,
      after && port !== undefined && !isInput ? { node: after.id, port, side: 'outputs' } : undefined,
    ).then(() => {
      const [added] = session.selection.get();
      // The canvas draws the new node after this.
      if (added !== undefined) setTimeout(() => handle.current?.show(added));
    });
  };
  // Otherwise Back and reload would open the dialog again.
  useEffect(() => {
    if (search.run !== undefined)
      void navigate({ from: editorRoute.fullPath, search: ({ run: _opened, ...old }) => old, replace: true });
  }, [navigate, search.run]);
  useModuleInUrl(search.add, add);
  const latestAdd = useRef(add);
  useEffect(() => {
    latestAdd.current = add;
  });
  const library = useMemo(
    () => ({
      onAdd: (item: LibraryItem) => latestAdd.current(item),
      onDragStart: (item: LibraryItem) => {
        dragged.current = item;
      },
      onClose: () => isLibraryOpen.set(false),
    }),
    [],
  );
  const header = useEditorHeader({ onDialog: setDialog });
  const isEmpty = graph.nodes.length === 0;
  return (
    <Page {...header} isFull>
      <Toolbar
        graph={graph}
        handle={handle}
        view={search.view}
        setView={setView}
        isLibraryOpen={isLibraryOpen}
        onDialog={setDialog}
      />
      <DraftNotice opened={opened} onDialog={setDialog} />
      <div className="relative flex min-h-0 flex-1">
        {isLibraryShown && (
          <DockedPanel
            name="editor.library"
            label="Library"
            onLeave={() => handle.current?.focus()}
            side="left"
            width={260}
            minWidth={200}
            maxWidth={420}
          >
            <LibraryDrawer {...library} />
          </DockedPanel>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          {search.view === 'yaml' ? (
            <Suspense fallback={<Skeleton rows={12} />}>
              <YamlView />
            </Suspense>
          ) : (
            <div className="relative flex min-h-0 flex-1">
              <EditorCanvas
                graph={graph}
                handle={handle}
                dragged={dragged}
                onOpenNode={openNode}
                onDialog={setDialog}
              />
              {isEmpty && <EmptyCanvas />}
            </div>
          )}
          <ProblemsPanel onSelect={(id) => handle.current?.reveal(id)} />
        </div>
        {search.view === 'versions' ? (
          <DockedPanel name="editor.versions" label="Versions" side="right" width={340}>
            <Suspense fallback={<Skeleton />}>
              <VersionList onClose={() => setView(undefined)} onDialog={setDialog} />
            </Suspense>
          </DockedPanel>
        ) : (
          (selection.size > 0 || edge !== undefined) &&
          search.view !== 'yaml' && (
            <DockedPanel
              name="editor.node"
              label="Selection"
              side="right"
              width={380}
              onLeave={() => handle.current?.focus()}
            >
              <ItemPanel graph={graph} openCount={focused.count} onDialog={setDialog} />
            </DockedPanel>
          )
        )}
      </div>
      <EditorDialogs dialog={dialog} graph={graph} handle={handle} onDialog={setDialog} />
    </Page>
  );
}
