import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type CacheExplanation, isFinalSubjob, type Run, type Subjob } from '@millrace/client';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { PanelSection } from '../run/panel-section.js';
import { cacheQuery } from './subjob-query.js';

/** Whether a subjob reused a result, and what differs from the nearest earlier one. Requested only if it says something. */
export function CacheSection({ run, subjob }: { run: Run; subjob: Subjob }) {
  const [isRequested, setRequested] = useState(false);
  const { data, error } = useQuery({ ...cacheQuery(run.id, subjob.id), enabled: isRequested || subjob.cached });
  if (!isFinalSubjob(subjob.status) || subjob.approval) return null;
  return (
    <PanelSection
      title="Cache"
      actions={
        !data &&
        !error && (
          <Button look="quiet" onClick={() => setRequested(true)} isPending={isRequested}>
            Explain
          </Button>
        )
      }
    >
      {error && <ErrorNote error={error} className="mt-0" />}
      {data && <Explanation explanation={data} />}
      {!data && !error && (
        <p className="text-sm text-muted">Whether it could reuse a result, and what is different from earlier runs.</p>
      )}
    </PanelSection>
  );
}

function Explanation({ explanation: { message, nearest, children } }: { explanation: CacheExplanation }) {
  return (
    <div className="wrap-text flex flex-col gap-2 text-sm">
      <p>{message}</p>
      {children && (
        <p className="nums text-muted">
          {children.hit} reused · {children.miss} executed · {children.not_used} without the cache
        </p>
      )}
      {nearest && nearest.different.length > 0 && (
        <p className="text-muted">
          Nearest:{' '}
          <Link to="/runs/$runId" params={{ runId: nearest.run }} search={{ subjob: nearest.subjob }} className="link">
            run #{nearest.run}
          </Link>
          , which differs in {nearest.different.map(({ name }) => name).join(', ')}
          {nearest.inputs.length > 0 && ` (${nearest.inputs.join(', ')})`}.
        </p>
      )}
    </div>
  );
}
