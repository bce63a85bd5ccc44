import type { Worker } from '@millrace/client';
import { IconButton } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { Meter } from '../../../ui/meter.js';
import { Badge } from '../../../ui/status.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { LabelCell } from '../parts/label-list.js';
import { ActionsCell, NOTE, RecordRow } from '../parts/record-row.js';
import { ACTIONS, FROM_MEDIUM, FROM_WIDE, type Column } from '../parts/record-table.js';
import { useWorkerActions } from './use-worker-actions.js';
import { lookOf } from './worker-looks.js';

export const WORKER_COLUMNS: readonly Column[] = [
  { title: 'Worker' },
  { title: 'Fleet' },
  { title: 'State' },
  { title: 'Slots in use' },
  { title: 'Labels', className: FROM_WIDE },
  { title: 'Version', className: FROM_WIDE },
  { title: 'Last heartbeat', className: FROM_MEDIUM },
  ACTIONS,
];

export function WorkerRow({ worker, isOpen }: { worker: Worker; isOpen: boolean }) {
  const { id, host, fleet, slots, busy, labels, version, last_seen: lastSeen } = worker;
  const actions = useWorkerActions(worker);
  return (
    <RecordRow id={id} name={host} isOpen={isOpen} note={<span className={`${NOTE} font-mono text-muted`}>{id}</span>}>
      <td className={CELL}>{fleet}</td>
      <td className={CELL}>
        <Badge {...lookOf(worker)} />
      </td>
      <td className={CELL}>
        <SlotUse name={host} busy={busy} slots={slots} />
      </td>
      <LabelCell labels={labels} className={FROM_WIDE} />
      <td className={`${CELL} nums text-muted ${FROM_WIDE}`}>{version}</td>
      <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>
        <Time value={lastSeen} />
      </td>
      <ActionsCell>
        {actions.length > 0 && (
          <Menu
            trigger={<IconButton icon="dots" label={`Actions for ${host}`} className="h-7! w-7!" />}
            header={id}
            groups={[actions]}
          />
        )}
      </ActionsCell>
    </RecordRow>
  );
}

/** How many slots run a dispatch. All in use is no problem by itself, so the bar has one colour. */
export const SlotUse = ({ name, busy, slots }: { name: string; busy: number; slots: number }) => (
  <span className="flex items-center gap-2">
    <span className="nums min-w-12 text-right">
      {busy} of {slots}
    </span>
    <span className={FROM_MEDIUM}>
      <Meter label={`Slots of ${name} in use`} used={busy} limit={slots} hasWarning={false} />
    </span>
  </span>
);
