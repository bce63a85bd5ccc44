import { Link } from '@tanstack/react-router';
import type { RowsGetResponse } from '@millrace/client';
import { Time } from '../../../ui/time.js';

type Origin = RowsGetResponse['first_seen'];

/** The runs that wrote a row: first, last, and the one that changed it. */
export function Lineage({ details }: { details: RowsGetResponse }) {
  const { first_seen: first, last_changed: changed, last_seen: last, gone } = details;
  const moments: [string, Origin | undefined][] = [
    ['Gone', gone],
    ['Last seen', last],
    ['Changed', changed],
    ['First seen', first],
  ];
  return (
    <section aria-label="Lineage" className="px-4 py-3">
      <h3>Lineage</h3>
      <ol className="mt-2 border-l border-line">
        {moments.map(([label, origin]) =>
          origin ? (
            <li key={label} className="relative pb-3 pl-4 text-sm">
              <span aria-hidden className="absolute top-1.5 -left-1 size-2 rounded-full bg-queued-solid" />
              <div className="flex justify-between gap-2">
                <span className="font-medium">{label}</span>
                <Time value={origin.at} className="text-xs text-muted" />
              </div>
              <OriginLine origin={origin} />
            </li>
          ) : null,
        )}
      </ol>
    </section>
  );
}

function OriginLine({ origin: { run, node, subjob, workflow } }: { origin: Origin }) {
  if (run === undefined) return <p className="text-xs text-muted">By an upload</p>;
  return (
    <p className="wrap-text flex flex-wrap gap-x-2 text-xs text-muted">
      <Link to="/runs/$runId" params={{ runId: run }} className="link">
        Run {run}
      </Link>
      {node !== undefined && subjob !== undefined && (
        <Link to="/runs/$runId" params={{ runId: run }} search={{ subjob }} className="link" dir="auto">
          {node}
        </Link>
      )}
      {workflow !== undefined && (
        <Link to="/workflows/$workflowId" params={{ workflowId: workflow }} className="link">
          Workflow
        </Link>
      )}
    </p>
  );
}
