import type { ReactNode } from 'react';
import type { Health } from '@millrace/contracts/kit/health';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Button } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { Badge } from '../../../ui/status.js';
import { CELL, Table } from '../../../ui/table.js';
import { DetailPanel } from '../parts/detail-panel.js';
import { HeadCells } from '../parts/record-table.js';
import { SERVICE_LOOKS } from './service-looks.js';
import type { ServiceSummary } from './summarize-health.js';

interface ServicePanelProps {
  summary: ServiceSummary;
  /** Absent if the report does not have the service. */
  health: Health | undefined;
  onChangeLevel: () => void;
  onClose: () => void;
}

/** What one service needs and whether it has it, and where its work waits. */
export const ServicePanel = ({ summary, health, onChangeLevel, onClose }: ServicePanelProps) => (
  <DetailPanel title={summary.service} onClose={onClose}>
    <div className="flex flex-wrap items-center gap-3">
      <Badge {...SERVICE_LOOKS[summary.status]} />
      {summary.version !== undefined && <span className="text-sm text-muted">Version {summary.version}</span>}
      <Button icon="sliders" className="ml-auto" onClick={onChangeLevel}>
        Change the log level
      </Button>
    </div>
    {summary.warnings.length > 0 && (
      <ul className="flex flex-col gap-1 text-sm text-stopped">
        {summary.warnings.map((warning) => (
          <li key={warning} className="wrap-text flex gap-2">
            <Icon name="warning" className="mt-0.5" />
            {warning}
          </li>
        ))}
      </ul>
    )}
    {health && <Checks checks={health.checks} />}
    {health?.backlog && <Backlog backlog={health.backlog} />}
  </DetailPanel>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-1.5">{title}</h3>
    {children}
  </section>
);

const Checks = ({ checks }: Pick<Health, 'checks'>) => (
  <Part title="What it needs">
    {Object.keys(checks).length === 0 ? (
      <p className="text-sm text-muted">Nothing besides its own process.</p>
    ) : (
      <ul className="flex flex-col gap-1 text-sm">
        {Object.entries(checks).map(([name, outcome]) => (
          <li key={name} className="wrap-text flex gap-2">
            {outcome === 'ok' ? (
              <Icon name="circleCheck" label="Works" className="mt-0.5 text-succeeded" />
            ) : (
              <Icon name="circleX" label="Does not work" className="mt-0.5 text-failed" />
            )}
            <span>
              {name}
              {outcome !== 'ok' && <span className="text-failed">: {outcome}</span>}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Part>
);

const RIGHT = 'text-right';
const QUEUE_COLUMNS = [
  { title: 'Queue' },
  { title: 'Waiting', className: RIGHT },
  { title: 'Active', className: RIGHT },
  { title: 'Delayed', className: RIGHT },
  { title: 'Oldest', className: RIGHT },
];
const CONSUMER_COLUMNS = [{ title: 'Consumer' }, { title: 'To handle', className: RIGHT }];

function Backlog({ backlog: { outbox, queues, events } }: { backlog: NonNullable<Health['backlog']> }) {
  return (
    <>
      <Part title="Events and jobs to relay">
        <p className="nums text-sm">
          {outbox.waiting === 0
            ? 'None: everything that it has written is on its way.'
            : `${formatCount(outbox.waiting)}, the oldest for ${formatDuration(1_000 * outbox.oldestSeconds)}`}
        </p>
      </Part>
      {Object.keys(queues).length > 0 && (
        <Part title="Jobs">
          <Table label="Queues" head={<HeadCells columns={QUEUE_COLUMNS} />}>
            {Object.entries(queues).map(([name, { waiting, active, delayed, oldestSeconds }]) => (
              <tr key={name}>
                <td className={`${CELL} w-full`}>{name}</td>
                <Amount>{formatCount(waiting)}</Amount>
                <Amount>{formatCount(active)}</Amount>
                <Amount>{formatCount(delayed)}</Amount>
                <Amount>{oldestSeconds > 0 ? formatDuration(1_000 * oldestSeconds) : '–'}</Amount>
              </tr>
            ))}
          </Table>
        </Part>
      )}
      {Object.keys(events).length > 0 && (
        <Part title="Events">
          <Table label="Consumers" head={<HeadCells columns={CONSUMER_COLUMNS} />}>
            {Object.entries(events).map(([name, count]) => (
              <tr key={name}>
                <td className={`${CELL} w-full`}>{name}</td>
                <Amount>{formatCount(count)}</Amount>
              </tr>
            ))}
          </Table>
        </Part>
      )}
    </>
  );
}

const Amount = ({ children }: { children: ReactNode }) => <td className={`${CELL} nums ${RIGHT}`}>{children}</td>;
