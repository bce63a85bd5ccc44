import type { Run, SubjobsGetResponse } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Time } from '../../../ui/time.js';
import { Fact } from '../run/facts.js';
import { PanelSection } from '../run/panel-section.js';
import { ApprovalBox } from './approval-box.js';
import { Attempts } from './attempts.js';
import { CacheSection } from './cache-section.js';
import { ProgramSection } from './program-section.js';
import { ReasonBox } from './reason-box.js';

/** Why a subjob ended as it did, and with what it ran. */
export function Summary({ run, subjob }: { run: Run; subjob: SubjobsGetResponse }) {
  const params = Object.entries(subjob.params);
  return (
    <div className="flex flex-col gap-5 p-4">
      {/* The message of a decision repeats who made it. */}
      {!isDecided(subjob) && <ReasonBox subjob={subjob} />}
      {subjob.approval && <ApprovalBox run={run} subjob={subjob} approval={subjob.approval} />}
      <Facts subjob={subjob} />
      {subjob.attempts.length > 1 && <Attempts attempts={subjob.attempts} />}
      {params.length > 0 && (
        <PanelSection title="Inputs">
          <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
            {params.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="wrap-text text-muted">{name}</dt>
                <dd className="wrap-text font-mono text-xs leading-5" dir="auto">
                  {String(value)}
                </dd>
              </div>
            ))}
          </dl>
        </PanelSection>
      )}
      <ProgramSection run={run} subjob={subjob} />
      <CacheSection run={run} subjob={subjob} />
    </div>
  );
}

const isDecided = ({ approval }: SubjobsGetResponse): boolean =>
  approval?.state === 'approved' || approval?.state === 'rejected';

function Facts({ subjob }: { subjob: SubjobsGetResponse }) {
  const { exit_code: exit, duration_ms: duration, worker, cpu_ms: cpu, max_rss_bytes: memory } = subjob;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
      {exit !== undefined && <Fact name="Exit code">{exit}</Fact>}
      {duration !== undefined && <Fact name="Duration">{formatDuration(duration)}</Fact>}
      {subjob.started_at !== undefined && (
        <Fact name="Started">
          <Time value={subjob.started_at} />
        </Fact>
      )}
      <Fact name="Attempt">
        {subjob.attempt} of {subjob.max_attempts}
      </Fact>
      {cpu !== undefined && <Fact name="CPU time">{formatDuration(cpu)}</Fact>}
      {memory !== undefined && <Fact name="Memory">{formatBytes(memory)}</Fact>}
      <Fact name="Units">{formatCount(subjob.execution_units)}</Fact>
      {worker !== undefined && (
        <Fact name="Worker" title={worker}>
          {worker}
        </Fact>
      )}
    </dl>
  );
}
