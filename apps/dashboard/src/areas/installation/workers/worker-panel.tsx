import { Link } from '@tanstack/react-router';
import type { Worker } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { Fact, FactList } from '../../../ui/fact-list.js';
import { Badge } from '../../../ui/status.js';
import { Time } from '../../../ui/time.js';
import { ActionButtons } from '../parts/action-buttons.js';
import { DetailPanel } from '../parts/detail-panel.js';
import { LabelList } from '../parts/label-list.js';
import { useWorkerActions } from './use-worker-actions.js';
import { lookOf } from './worker-looks.js';
import { SlotUse } from './worker-row.js';

/** Ids of joined workers begin with the letter j. */
const JOINED = /^j-[0-9a-f]{16}/;

/** All that is known about one worker. */
export function WorkerPanel({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const { id, host, fleet, labels, sizes, slots, busy, memory, version, isolated, programs } = worker;
  const actions = useWorkerActions(worker);
  const joined = JOINED.exec(id)?.[0];
  return (
    <DetailPanel title={host} onClose={onClose}>
      <ActionButtons actions={actions}>
        <Badge {...lookOf(worker)} />
      </ActionButtons>
      <FactList>
        <Fact label="Id">
          <span className="font-mono text-xs">{id}</span>
        </Fact>
        <Fact label="Fleet">{fleet}</Fact>
        <Fact label="Slots in use">
          <SlotUse name={host} busy={busy} slots={slots} />
        </Fact>
        <Fact label="Labels">
          <LabelList labels={labels} />
        </Fact>
        <Fact label="Sizes of steps">{sizes.map((size) => describeSize(size, memory?.[size])).join(', ')}</Fact>
        <Fact label="Isolation">{describeIsolation(isolated)}</Fact>
        <Fact label="Version">{version ?? 'not reported'}</Fact>
        <Fact label="Started">
          <Time value={worker.started_date} />
        </Fact>
        <Fact label="Last heartbeat">
          <Time value={worker.last_seen} />
        </Fact>
        <Fact label="Programs">{programs.length === 0 ? 'none of those it looks for' : programs.join(', ')}</Fact>
      </FactList>
      {joined !== undefined && (
        <p className="text-sm">
          It has joined with a token and has credentials of its own.{' '}
          <Link
            to="/installation/$section"
            params={{ section: 'joined-workers' }}
            search={{ q: joined }}
            className="link"
          >
            See or revoke them
          </Link>
        </p>
      )}
    </DetailPanel>
  );
}

const describeSize = (size: string, memory: number | undefined): string =>
  memory === undefined ? size : `${size} (${formatBytes(memory)})`;

function describeIsolation(isolated: boolean | null): string {
  if (isolated === null) return 'not reported';
  return isolated ? 'Steps run in sandboxes or containers' : 'None: steps are ordinary processes';
}
