import type { Run, WaitingFor } from '@millrace/client';
import { countOf } from '../../../../text/format-count.js';
import { Icon } from '../../../../ui/icon.js';
import { Time } from '../../../../ui/time.js';
import { useRunSearch } from '../use-run-search.js';

/** What a run waits for, in words. */
export function WaitingNote({ run }: { run: Run }) {
  const waiting = run.waiting_for ?? [];
  if (waiting.length === 0 && !run.stalled) return null;
  return (
    <ul className="flex flex-col gap-1.5 rounded-md border border-line bg-panel px-3 py-2 text-sm">
      {run.stalled && (
        <li className="flex gap-2">
          <Icon name="warning" className="mt-0.5 text-stopped" />
          The run neither progresses nor waits for anything, which is a defect of the system. Stop it, or retry it.
        </li>
      )}
      {waiting.map((reason) => (
        <li key={JSON.stringify([reason.reason, reason.requires])} className="flex gap-2">
          <Icon name={reason.reason === 'approval' ? 'hand' : 'clock'} className="mt-0.5 text-muted" />
          <Reason reason={reason} />
        </li>
      ))}
    </ul>
  );
}

const TEXTS: Record<WaitingFor['reason'], (subjobs: string) => string> = {
  paused: () => 'It is paused. Nothing new starts until somebody resumes it.',
  fetch: () => 'It waits for its inputs, which a worker fetches.',
  workers: () => 'It waits for a worker: none is connected',
  slots: (subjobs) => `${subjobs} ready, and waiting for a free slot.`,
  retry: (subjobs) => `${subjobs} waiting for the next attempt`,
  approval: (subjobs) => `${subjobs} waiting for a decision.`,
  condition: () => 'It checks conditions, which takes a moment.',
  worker_lost: () => 'A worker has been silent',
  stop: () => 'It waits for processes that end because the run is stopped.',
};

/** What no worker has, or what no connected one has. */
function missingOf({ missing, requires }: WaitingFor): string {
  const labels = Object.entries(requires?.labels ?? {}).map(([label, value]) => `${label}=${value}`);
  const fleet = requires?.fleet === undefined ? [] : [`fleet ${requires.fleet}`];
  const needed = missing ?? [...fleet, ...labels, ...(requires?.sizes ?? []).map((size) => `size ${size}`)];
  return needed.length === 0 ? '.' : ` that has ${needed.join(', ')}.`;
}

function Reason({ reason: waiting }: { reason: WaitingFor }) {
  const { reason, count, since, until, subjobs = [] } = waiting;
  const { select } = useRunSearch();
  const number = count ?? 1;
  return (
    <span>
      {TEXTS[reason](`${countOf(number, 'subjob')} ${number === 1 ? 'is' : 'are'}`)}
      {reason === 'workers' && missingOf(waiting)}
      {reason === 'worker_lost' && since !== undefined && (
        <>
          {' '}
          since <Time value={since} />; its subjobs run again.
        </>
      )}
      {reason === 'retry' && until !== undefined && (
        <>
          , <Time value={until} />.
        </>
      )}
      {reason === 'approval' &&
        subjobs.slice(0, 5).map((id) => (
          <button key={id} type="button" className="link ml-2" onClick={() => select(id, { tab: 'summary' })}>
            Decide
          </button>
        ))}
    </span>
  );
}
