import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { createSample } from '../../../sample/create-sample.js';
import { useStore } from '../../../store/create-store.js';
import { Button, buttonClass, IconButton } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { sampleQuery } from './sample-query.js';
import { isTourDone, seenInTour } from './tour-state.js';

/** Three steps from the sample workflow to a table of results. It ends when the user closes it or has done all. */
export function Tour() {
  const isClosed = useStore(isTourDone);
  if (isClosed) return null;
  return <OpenTour />;
}

function OpenTour() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const seen = useStore(seenInTour);
  const { data: sample, isPending } = useQuery(sampleQuery);
  const canRun = useSpaceRole(sample?.workflowSpace, 'execute');
  const prepare = useMutation({
    mutationFn: (space: string) => createSample(client, space),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['home'] }),
  });
  const run = useMutation({
    mutationFn: (workflow: string) => client.workflows.run(workflow),
    onSuccess: ({ id }) => navigate({ to: '/runs/$runId', params: { runId: id } }),
  });
  // Otherwise the lists below would move when the steps appear.
  if (isPending) return <div className="mx-6 mt-1 mb-2 h-35 rounded-md bg-panel max-md:h-67 max-sm:mx-4" />;
  if (!sample || (sample.space === undefined && sample.workflow === undefined)) return null;
  const { space, workflow, table, hasRun } = sample;
  return (
    <section
      aria-label="First steps"
      className="mx-6 mt-1 mb-2 rounded-md border border-accent-line bg-accent-soft px-5 py-4 max-sm:mx-4"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2>From a log to a table of results</h2>
          <p className="mt-0.5 text-sm text-muted">
            The sample workflow reads a log in four parts at once, and finds who tries passwords on your servers.
          </p>
        </div>
        <IconButton icon="x" label="Close the first steps" onClick={() => isTourDone.set(true)} />
      </div>
      {workflow === undefined || table === undefined ? (
        <Button
          look="primary"
          icon="sparkles"
          className="mt-3"
          isPending={prepare.isPending}
          onClick={() => space !== undefined && prepare.mutate(space)}
        >
          Create the sample workflow
        </Button>
      ) : (
        <ol className="mt-4 grid grid-cols-3 gap-3 max-md:grid-cols-1">
          <Step number={1} title="Look at the workflow" isDone={seen.workflow || hasRun}>
            <Link
              to="/workflows/$workflowId"
              params={{ workflowId: workflow }}
              onClick={() => seenInTour.set({ ...seenInTour.get(), workflow: true })}
              className={buttonClass()}
            >
              Open it
            </Link>
          </Step>
          <Step number={2} title="Run it" isDone={hasRun}>
            {canRun && (
              <Button icon="play" isPending={run.isPending} onClick={() => run.mutate(workflow)}>
                Run
              </Button>
            )}
          </Step>
          <Step number={3} title="Read the table that it fills" isDone={seen.table && hasRun}>
            <Link
              to="/tables/$tableId"
              params={{ tableId: table }}
              onClick={() => seenInTour.set({ ...seenInTour.get(), table: true })}
              className={buttonClass()}
            >
              Open the table
            </Link>
          </Step>
        </ol>
      )}
      {(prepare.error ?? run.error) && <ErrorNote error={prepare.error ?? run.error} />}
    </section>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}

const Step = ({ number, title, isDone, children }: StepProps) => (
  <li className="flex items-center gap-3 rounded-md border border-line bg-raised px-3 py-2.5">
    <span
      className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-medium ${isDone ? 'bg-succeeded-soft text-succeeded' : 'bg-pressed text-muted'}`}
    >
      {isDone ? <Icon name="check" size={14} label="done" /> : number}
    </span>
    <span className="min-w-0 flex-1 text-sm">{title}</span>
    {children}
  </li>
);
