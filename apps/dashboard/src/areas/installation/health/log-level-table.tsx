import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { AREA_KEY } from '../parts/area-queries.js';
import { FROM_MEDIUM, RecordTable } from '../parts/record-table.js';
import { listLogLevels } from './list-log-levels.js';

/** No change lasts longer than a day. */
const MAX_MINUTES = 1_440;
const REFRESH_INTERVAL_MS = 30_000;

const changesQuery = queryOptions({
  queryKey: [AREA_KEY, 'log-levels'],
  queryFn: async ({ signal }) => {
    const from = new Date(Date.now() - MAX_MINUTES * 60_000).toISOString();
    const { results } = await client.adminAudit.list(
      { action: 'log_level.changed', from, page_size: 1_000 },
      { signal },
    );
    return { results: listLogLevels(results, Date.now()) };
  },
  refetchInterval: REFRESH_INTERVAL_MS,
});

const COLUMNS = [
  { title: 'Service' },
  { title: 'Level' },
  { title: 'Ends' },
  { title: 'Changed by', className: `w-full ${FROM_MEDIUM}` },
];

/** The requests for another log level than the configured one, from the audit log. A service that restarts forgets them. */
export const LogLevelTable = () => (
  <RecordTable
    label="Requested log levels"
    columns={COLUMNS}
    list={useQuery(changesQuery)}
    empty={<p className="text-sm text-muted">No request is in effect: all services log at their configured level.</p>}
  >
    {({ service, level, until, by }) => (
      <tr key={service}>
        <td className={`${CELL} font-medium`}>{service}</td>
        <td className={CELL}>{level}</td>
        <td className={`${CELL} text-muted`}>
          <Time value={until} />
        </td>
        <td className={`${CELL} max-w-0 truncate text-muted ${FROM_MEDIUM}`}>{by ?? 'a command'}</td>
      </tr>
    )}
  </RecordTable>
);
