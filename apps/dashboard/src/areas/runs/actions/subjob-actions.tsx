import { type ReactNode, useState } from 'react';
import { isFinalSubjob, type Run, type Subjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { countOf } from '../../../text/format-count.js';
import { Button, IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Menu, type MenuItem } from '../../../ui/menu.js';
import { useRefreshRun } from './use-refresh-run.js';

type Verb = 'retry' | 'skip' | 'stop';

/** Retry, skip and stop of a subjob, as far as its status and the role of the user allow them. */
export function SubjobActions({ run, subjob }: { run: Run; subjob: Subjob }) {
  const [question, setQuestion] = useState<Verb>();
  const mayRun = useSpaceRole(run.space_info, 'execute');
  const refresh = useRefreshRun(run.id);
  if (!mayRun || run.status === 'STOPPING') return null;
  const isFinal = isFinalSubjob(subjob.status);
  const isUnderWay = !run.finished && !isFinal;
  const maySkip =
    subjob.status === 'FAILED' || subjob.status === 'STOPPED' || (subjob.status === 'PENDING' && !run.finished);
  const items: MenuItem[] = [
    ...(isFinal && subjob.status !== 'FAILED'
      ? [{ label: 'Run again', icon: 'retry' as const, onSelect: () => setQuestion('retry') }]
      : []),
    ...(maySkip
      ? [{ label: 'Go on without it', icon: 'skipForward' as const, onSelect: () => setQuestion('skip') }]
      : []),
  ];
  const { title, description, action } = textsOf(subjob)[question ?? 'retry'];
  return (
    <div className="flex gap-1">
      {isUnderWay && (
        <Button icon="circleStop" onClick={() => setQuestion('stop')}>
          Stop
        </Button>
      )}
      {subjob.status === 'FAILED' && (
        <Button icon="retry" onClick={() => setQuestion('retry')}>
          Retry
        </Button>
      )}
      {items.length > 0 && (
        <Menu trigger={<IconButton icon="more" label="More actions for the step" />} groups={[items]} />
      )}
      {question && (
        <ConfirmDialog
          title={title}
          description={description}
          action={action}
          isDangerous={question === 'stop'}
          onConfirm={async () => {
            if (question === 'skip') await client.subjobs.skip(run.id, subjob.id, {});
            else await client.subjobs[question](run.id, subjob.id);
            await refresh();
          }}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </div>
  );
}

function textsOf({ label, task_index: index, task_count: count }: Subjob): Record<Verb, Texts> {
  const name = index === undefined ? `“${label}”` : `child ${index} of “${label}”`;
  const children = count === undefined ? '' : ` with ${countOf(count, 'child', 'children')}`;
  return {
    retry: {
      title: `Run ${name} again?`,
      description: `It runs again${children}, and so does everything that depends on it. Earlier attempts and their logs stay.`,
      action: 'Run again',
    },
    skip: {
      title: `Go on without ${name}?`,
      description:
        count === undefined
          ? 'It is skipped. What gathers it takes the others, and what follows for the same child is skipped.'
          : 'Its children that have not succeeded are skipped; the others keep their results.',
      action: 'Skip',
    },
    stop: {
      title: `Stop ${name}?`,
      description: `Its processes end${children ? `, of all its ${count} children` : ''}. What depends on it is skipped.`,
      action: 'Stop',
    },
  };
}

interface Texts {
  title: string;
  description: ReactNode;
  action: string;
}
