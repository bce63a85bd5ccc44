import { Link } from '@tanstack/react-router';
import { Keys } from '../../keyboard/keys.js';
import { useStore } from '../../store/create-store.js';
import { Button } from '../../ui/button.js';
import { changesSince } from './session/changed-records.js';
import type { EditorDialog } from './session/dialogs.js';
import { useEditor } from './session/editor-context.js';
import type { DraftState } from './session/keep-draft.js';

/** What the frame of the page shows: name, place, state of the draft, and the main buttons. */
export function useEditorHeader({ onDialog }: { onDialog: (dialog: EditorDialog) => void }) {
  const { workflow, canEdit, canRun } = useEditor();
  return {
    title: <span dir="auto">{workflow.name}</span>,
    tabTitle: workflow.name,
    breadcrumb: (
      <>
        <Link to="/workflows" className="hover:underline">
          Workflows
        </Link>
        <span aria-hidden>/</span>
        <span dir="auto" className="wrap-text">
          {workflow.space_name}
        </span>
        {workflow.project_name !== undefined && (
          <>
            <span aria-hidden>/</span>
            <span dir="auto" className="wrap-text">
              {workflow.project_name}
            </span>
          </>
        )}
      </>
    ),
    aside: <SaveState />,
    actions: (
      <>
        <Link to="/workflows/$workflowId/runs" params={{ workflowId: workflow.id }} className="link mr-1 text-sm">
          Runs
        </Link>
        {canEdit && (
          <Link to="/schedules" search={{ edit: workflow.id }} className="link mr-2 text-sm">
            Schedule
          </Link>
        )}
        {canEdit && (
          <Button icon="save" onClick={() => onDialog({ kind: 'save' })}>
            Save <Keys keys="mod+s" />
          </Button>
        )}
        {canRun && (
          <Button icon="play" look="primary" onClick={() => onDialog({ kind: 'run' })}>
            Run
          </Button>
        )}
      </>
    ),
  };
}

const DRAFT_TEXTS: Record<DraftState, string> = {
  unchanged: '',
  writing: 'Storing the draft…',
  stored: 'Draft stored in this browser',
  failed: 'The draft could not be stored in this browser',
};

/** Which version is open, and whether it has edits that are not saved. */
function SaveState() {
  const { session, draft, canEdit } = useEditor();
  const base = useStore(session.base);
  const document = useStore(session.document);
  const state = useStore(draft);
  const isChanged = changesSince(base.document, document).length > 0;
  return (
    <span role="status" className="text-xs text-muted">
      {base.number === undefined ? 'No version yet' : `Version ${base.number}`}
      {isChanged && ' · edited'}
      {isChanged && DRAFT_TEXTS[state] !== '' && ` · ${DRAFT_TEXTS[state]}`}
      {!canEdit && ' · you may read it'}
    </span>
  );
}
