import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Workflow } from '@millrace/client';
import { spaceRoleQuery, useSpaceRole } from '../../api/roles.js';
import { meQuery } from '../../api/session.js';
import { workflowQuery } from '../../api/workflow-query.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Page } from '../../ui/page.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Editor } from './editor.js';
import { validateEdits } from './problems/validate-edits.js';
import { editorRoute } from './routes.js';
import { draftKey } from './session/draft-storage.js';
import { EditorContext } from './session/editor-context.js';
import { keepDraft } from './session/keep-draft.js';
import type { OpenedWorkflow } from './session/open-workflow.js';
import { shareWithTabs } from './session/share-with-tabs.js';
import { useOpenWorkflow } from './session/use-open-workflow.js';

export function EditorPage() {
  const { workflowId } = editorRoute.useParams();
  const { data: me } = useQuery(meQuery);
  const workflow = useQuery(workflowQuery(workflowId));
  const space = workflow.data?.space_info;
  // Without it the editor would begin as one for readers.
  const role = useQuery({ ...spaceRoleQuery(space ?? ''), enabled: space !== undefined });
  const opening = useOpenWorkflow(workflowId, me?.id);
  const error: unknown = workflow.data ? (opening.state === 'failed' ? opening.error : null) : workflow.error;
  if (error)
    return (
      <Page title="Workflow">
        <div className="max-w-xl px-6">
          <ErrorNote
            error={error}
            onRetry={() => {
              void workflow.refetch();
              opening.retry();
            }}
          />
        </div>
      </Page>
    );
  if (!workflow.data || !me || role.isPending || opening.state !== 'open')
    return (
      <Page title={workflow.data?.name ?? 'Workflow'} isFull>
        <Skeleton rows={10} />
      </Page>
    );
  return <OpenEditor key={workflowId} workflow={workflow.data} opened={opening.opened} user={me.id} />;
}

interface OpenEditorProps {
  workflow: Workflow;
  opened: OpenedWorkflow;
  user: string;
}

function OpenEditor({ workflow, opened, user }: OpenEditorProps) {
  const { session } = opened;
  const canEdit = useSpaceRole(workflow.space_info, 'write');
  const canRun = useSpaceRole(workflow.space_info, 'execute');
  const draft = useMemo(() => keepDraft(session, draftKey(user, workflow.id)), [session, user, workflow.id]);
  const validated = useMemo(() => validateEdits(session, workflow.id), [session, workflow.id]);
  useEffect(() => draft.start(), [draft]);
  useEffect(() => validated.start(), [validated]);
  useEffect(() => shareWithTabs(session, draftKey(user, workflow.id)), [session, user, workflow.id]);
  const editor = useMemo(
    () => ({ workflow, session, draft: draft.state, validation: validated.validation, canEdit, canRun }),
    [workflow, session, draft, validated, canEdit, canRun],
  );
  return (
    <EditorContext value={editor}>
      <Editor opened={opened} />
    </EditorContext>
  );
}
