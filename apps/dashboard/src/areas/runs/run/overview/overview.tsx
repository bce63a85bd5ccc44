import type { Run } from '@millrace/client';
import { Icon } from '../../../../ui/icon.js';
import { NamedOutputs } from '../../outputs/named-outputs.js';
import { Failures } from './failures.js';
import { RunInputs } from './run-inputs.js';
import { RunLoads } from './run-loads.js';
import { WaitingNote } from './waiting-note.js';

/** The answer first: did it work, what came out, what failed and why, with which inputs. */
export function Overview({ run }: { run: Run }) {
  return (
    <div className="flex flex-col gap-5 p-4">
      {run.error !== undefined && (
        <div className="flex gap-2.5 rounded-md border border-(--red-6) bg-failed-soft px-3 py-2.5 text-sm">
          <Icon name="circleX" className="mt-0.5 text-failed" />
          <p className="wrap-text min-w-0 whitespace-pre-wrap">{run.error}</p>
        </div>
      )}
      <WaitingNote run={run} />
      <NamedOutputs run={run} />
      <RunLoads run={run} />
      <Failures run={run} />
      <RunInputs run={run} />
    </div>
  );
}
