import { useState } from 'react';
import { useStore } from '../../store/create-store.js';
import { Button, IconButton } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
import { changesSince } from './session/changed-records.js';
import type { EditorDialog } from './session/dialogs.js';
import { useEditor } from './session/editor-context.js';
import type { OpenedWorkflow } from './session/open-workflow.js';

interface DraftNoticeProps {
  opened: OpenedWorkflow;
  onDialog: (dialog: EditorDialog) => void;
}

/** Says that earlier edits were restored, and whether somebody else has saved a version since. */
export function DraftNotice({ opened, onDialog }: DraftNoticeProps) {
  const { session } = useEditor();
  const [isHidden, setHidden] = useState(false);
  const base = useStore(session.base);
  const document = useStore(session.document);
  const isChanged = changesSince(base.document, document).length > 0;
  const { isRestored, newerVersion } = opened;
  if (isHidden || !isRestored || !isChanged) return null;
  const isOutdated = newerVersion !== undefined && newerVersion.id !== base.versionId;
  return (
    <div role="status" className="flex items-center gap-2 border-b border-line bg-accent-soft px-6 py-1.5 text-sm">
      <Icon name="info" className="text-accent-ink" />
      <p className="min-w-0 flex-1">
        Your edits of an earlier visit are restored.
        {isOutdated && ` Version ${newerVersion.number} was saved since.`}
      </p>
      {isOutdated ? (
        <Button onClick={() => onDialog({ kind: 'conflict' })}>Compare and merge</Button>
      ) : (
        <Button
          onClick={() => {
            session.replace(base, base.document, 'Discard the edits');
            setHidden(true);
          }}
        >
          Discard the edits
        </Button>
      )}
      <IconButton icon="x" label="Dismiss" onClick={() => setHidden(true)} />
    </div>
  );
}
