import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Badge } from '../../../ui/status.js';
import { CELL, Table } from '../../../ui/table.js';
import { NOTE, RecordRow } from '../parts/record-row.js';
import { FROM_MEDIUM, FROM_WIDE, HeadCells, type Column } from '../parts/record-table.js';
import { SERVICE_LOOKS } from './service-looks.js';
import type { ServiceSummary } from './summarize-health.js';

const COLUMNS: readonly Column[] = [
  { title: 'Service' },
  { title: 'State' },
  { title: 'Version', className: FROM_WIDE },
  { title: 'To relay', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Jobs waiting', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Oldest', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Events to handle', className: `text-right ${FROM_WIDE}` },
];

interface ServiceTableProps {
  services: readonly ServiceSummary[];
  opened: string | undefined;
}

export const ServiceTable = ({ services, opened }: ServiceTableProps) => (
  <Table label="Services" head={<HeadCells columns={COLUMNS} />}>
    {services.map((summary) => (
      <ServiceRow key={summary.service} summary={summary} isOpen={summary.service === opened} />
    ))}
  </Table>
);

function ServiceRow({ summary, isOpen }: { summary: ServiceSummary; isOpen: boolean }) {
  const { service, status, version, problems, warnings, backlog } = summary;
  const note = [...problems, ...warnings][0];
  return (
    <RecordRow
      id={service}
      name={service}
      isOpen={isOpen}
      note={
        note !== undefined && (
          <span
            title={[...problems, ...warnings].join('\n')}
            className={`${NOTE} ${problems.length > 0 ? 'text-failed' : 'text-stopped'}`}
          >
            {note}
          </span>
        )
      }
    >
      <td className={CELL}>
        <Badge {...SERVICE_LOOKS[status]} />
      </td>
      <td className={`${CELL} nums text-muted ${FROM_WIDE}`}>{version}</td>
      <Amount count={backlog?.relayed} className={FROM_MEDIUM} />
      <Amount count={backlog?.jobs} className={FROM_MEDIUM} />
      <td className={`${CELL} nums text-right text-muted ${FROM_MEDIUM}`}>
        {backlog && backlog.oldestSeconds > 0 ? formatDuration(1_000 * backlog.oldestSeconds) : '–'}
      </td>
      <Amount count={backlog?.events} className={FROM_WIDE} />
    </RecordRow>
  );
}

const Amount = ({ count, className }: { count: number | undefined; className: string }) => (
  <td className={`${CELL} nums text-right ${count ? '' : 'text-muted'} ${className}`}>
    {count === undefined ? '–' : formatCount(count)}
  </td>
);
