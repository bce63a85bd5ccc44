import { lazy, type RefObject, Suspense } from 'react';
import type { GraphHandle } from '../../graph/graph-view.js';
import type { GraphNode } from '../../graph/model/graph.js';
import type { NodeFace } from './canvas/derive-graph.js';
import { FindDialog } from './canvas/find-dialog.js';
import { PortsDialog } from './canvas/ports-dialog.js';
import { labelOf } from './document/label-of.js';
import { addItem } from './library/add-item.js';
import { InsertDialog } from './library/insert-dialog.js';
import { typeOfPort } from './ports/list-ports.js';
import { SaveDialog } from './save-dialog.js';
import type { EditorDialog } from './session/dialogs.js';
import { useEditor } from './session/editor-context.js';

const RunDialog = lazy(() => import('./run/run-dialog.js').then(({ RunDialog }) => ({ default: RunDialog })));
const ConflictDialog = lazy(() =>
  import('./conflict/conflict-dialog.js').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
);
const PublishDialog = lazy(() =>
  import('./versions/publish-dialog.js').then(({ PublishDialog }) => ({ default: PublishDialog })),
);

interface EditorDialogsProps {
  dialog: EditorDialog | undefined;
  graph: { nodes: readonly GraphNode<NodeFace>[] };
  handle: RefObject<GraphHandle | null>;
  onDialog: (dialog: EditorDialog | undefined) => void;
}

/** The dialog that is open, if any. */
export function EditorDialogs(props: EditorDialogsProps) {
  return <Suspense>{props.dialog && <OpenDialog {...props} dialog={props.dialog} />}</Suspense>;
}

function OpenDialog({ dialog, graph, handle, onDialog }: EditorDialogsProps & { dialog: EditorDialog }) {
  const { session, workflow } = useEditor();
  const close = () => onDialog(undefined);
  switch (dialog.kind) {
    case 'insert': {
      const { from, at } = dialog;
      const type = from && typeOfPort(session.document.get(), from);
      return (
        <InsertDialog
          title={from ? describePlace(from.side, labelOf(session.document.get(), from.node)) : 'Add to the workflow'}
          {...(from && type !== undefined && { fits: { side: from.side, type } })}
          onChoose={(item) => {
            close();
            void addItem(session, item, at, from).then(() => {
              const [id] = session.selection.get();
              // The dialog returns the focus first; the canvas draws the new node after that.
              if (id !== undefined) setTimeout(() => handle.current?.reveal(id));
            });
          }}
          onClose={close}
        />
      );
    }
    case 'ports':
      return <PortsDialog from={dialog.from} node={dialog.node} onClose={close} />;
    case 'find':
      return (
        <FindDialog
          nodes={graph.nodes}
          onChoose={(id) => {
            close();
            session.select([id]);
            setTimeout(() => handle.current?.reveal(id));
          }}
          onClose={close}
        />
      );
    case 'save':
      return <SaveDialog onConflict={() => onDialog({ kind: 'conflict' })} onClose={close} />;
    case 'run':
      return (
        <RunDialog isPart={dialog.isPart === true} onConflict={() => onDialog({ kind: 'conflict' })} onClose={close} />
      );
    case 'conflict':
      return <ConflictDialog onClose={close} />;
    case 'publish':
      return <PublishDialog workflow={workflow} version={dialog.version} onClose={close} />;
  }
}

const describePlace = (side: 'inputs' | 'outputs', label: string): string =>
  side === 'outputs' ? `Add after ${label}` : `Add before ${label}`;
