import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { Button, IconButton } from '../../../ui/button.js';
import { CommandsDialog } from '../../../ui/commands-dialog.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { copyText } from '../../../ui/copy-text.js';
import { Menu, type MenuItem } from '../../../ui/menu.js';
import { notify, notifyError } from '../../../ui/toast.js';
import { runQuery } from '../run/run-query.js';
import { ChangeDialog } from './change-dialog.js';
import { RerunDialog } from './rerun-dialog.js';
import { commandsOf } from './run-commands.js';
import { useRefreshRun } from './use-refresh-run.js';

type Question = 'stop' | 'retry' | 'delete' | 'rerun' | 'change' | 'commands';

/** What a user may do with a run, by its status and their role. */
export function RunActions({ run }: { run: Run }) {
  const [question, setQuestion] = useState<Question>();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const mayRun = useSpaceRole(run.space_info, 'execute');
  const mayEdit = useSpaceRole(run.space_info, 'write');
  const change = useMutation({
    mutationFn: (request: () => Promise<Run>) => request(),
    onSuccess: (changed) => queryClient.setQueryData(runQuery(run.id).queryKey, changed),
    onError: (error) => notifyError('The run was not changed', error),
  });
  const isUnderWay = !run.finished && run.status !== 'STOPPING';
  const share = async () => {
    await copyText(location.href);
    notify({ title: 'Link copied', description: 'It shows what you see now to everyone who may see the run.' });
  };
  const compare = () =>
    navigate({
      to: '/workflows/$workflowId/runs',
      params: { workflowId: run.workflow_info },
      search: { compare: run.id },
    });
  const more: MenuItem[][] = [
    [
      { label: 'Copy the link', icon: 'link', onSelect: () => void share() },
      { label: 'Compare with another run', icon: 'gitCompare', onSelect: () => void compare() },
      { label: 'Commands and requests', icon: 'terminal', onSelect: () => setQuestion('commands') },
    ],
    [
      ...(mayRun
        ? [
            {
              label: run.finished ? 'Rename' : 'Change name, parallelism, priority',
              icon: 'pencil' as const,
              onSelect: () => setQuestion('change'),
            },
          ]
        : []),
      ...(mayEdit
        ? [
            {
              label: run.pinned ? 'Let retention delete it' : 'Keep it',
              icon: run.pinned ? ('pinOff' as const) : ('pin' as const),
              onSelect: () => change.mutate(() => client.runs.update(run.id, { pinned: !run.pinned })),
            },
            ...(run.finished
              ? [{ label: 'Delete', icon: 'trash' as const, isDangerous: true, onSelect: () => setQuestion('delete') }]
              : []),
          ]
        : []),
    ],
  ];
  const hasFailed = run.run_insights.failed + run.run_insights.stopped > 0;
  return (
    <>
      {isUnderWay && mayRun && (
        <>
          <Button
            icon={run.paused ? 'play' : 'pause'}
            isPending={change.isPending}
            onClick={() => change.mutate(() => client.runs[run.paused ? 'resume' : 'pause'](run.id))}
          >
            {run.paused ? 'Resume' : 'Pause'}
          </Button>
          <Button icon="circleStop" look="danger" onClick={() => setQuestion('stop')}>
            Stop
          </Button>
        </>
      )}
      {run.finished && mayRun && hasFailed && (
        <Button icon="retry" onClick={() => setQuestion('retry')}>
          {run.run_insights.failed > 0 ? 'Retry what failed' : 'Go on with the rest'}
        </Button>
      )}
      {run.finished && mayRun && (
        <Button icon="play" look="primary" onClick={() => setQuestion('rerun')}>
          Run again
        </Button>
      )}
      <Menu trigger={<IconButton icon="more" look="secondary" label="More actions" />} groups={more} />
      {(question === 'stop' || question === 'retry' || question === 'delete') && (
        <RunQuestion run={run} question={question} onClose={() => setQuestion(undefined)} />
      )}
      {question === 'rerun' && <RerunDialog run={run} onClose={() => setQuestion(undefined)} />}
      {question === 'change' && <ChangeDialog run={run} onClose={() => setQuestion(undefined)} />}
      {question === 'commands' && (
        <CommandsDialog
          subject={`Run #${run.id}`}
          commands={commandsOf(run.id, location.origin)}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  );
}

function RunQuestion({
  run,
  question,
  onClose,
}: {
  run: Run;
  question: 'stop' | 'retry' | 'delete';
  onClose: () => void;
}) {
  const refresh = useRefreshRun(run.id);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  if (question === 'stop')
    return (
      <ConfirmDialog
        title={`Stop run #${run.id}?`}
        description="Its processes get ten seconds to end. What has not started is stopped; results so far stay, and you can retry the run later."
        action="Stop"
        onConfirm={async () => {
          await client.runs.stop(run.id);
          await refresh();
        }}
        onClose={onClose}
      />
    );
  if (question === 'retry')
    return (
      <ConfirmDialog
        title="Retry what failed?"
        description="Everything that failed, was stopped, or was skipped because of it runs again in this run. All other results stay."
        action="Retry"
        isDangerous={false}
        onConfirm={async () => {
          await client.runs.retry(run.id, {});
          await refresh();
        }}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={`Delete run #${run.id} of “${run.workflow_name}”?`}
      description="Its subjobs, outputs and logs are deleted and cannot be restored. Rows that it loaded into Live Tables stay."
      action="Delete"
      typedName={`#${run.id}`}
      onConfirm={async () => {
        await client.runs.delete(run.id);
        await navigate({ to: '/runs' });
        void queryClient.invalidateQueries({ queryKey: ['runs', 'list'] });
      }}
      onClose={onClose}
    />
  );
}
