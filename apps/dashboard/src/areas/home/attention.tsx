import { useQuery } from '@tanstack/react-query';
import { RESTRICTION_MESSAGES } from '@millrace/contracts/billing/restriction';
import { useVaultRole } from '../../api/roles.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { failedRunsQuery, refusedSchedulesQuery, restrictionQuery } from './queries.js';
import { RefusedSchedules } from './refused-schedules.js';
import { RunList } from './run-list.js';

/** A restricted vault, schedules that start nothing, and runs that failed in the last week. Shown only if there is any. */
export function Attention() {
  const isOwner = useVaultRole('owner');
  const { data: restriction } = useQuery({ ...restrictionQuery, enabled: isOwner });
  const { data: failed = [] } = useQuery(failedRunsQuery);
  const { data: refused = [] } = useQuery(refusedSchedulesQuery);
  if (!restriction && failed.length === 0 && refused.length === 0) return null;
  return (
    <Section title="Needs attention">
      <div className="flex flex-col gap-3">
        {restriction && (
          <p className="flex items-start gap-2.5 rounded-md border border-(--amber-6) bg-stopped-soft px-3 py-2.5 text-sm">
            <Icon name="warning" className="mt-0.5 text-stopped" />
            No run can be started. {RESTRICTION_MESSAGES[restriction]}
          </p>
        )}
        {refused.length > 0 && <RefusedSchedules workflows={refused} />}
        {failed.length > 0 && <RunList runs={failed} />}
      </div>
    </Section>
  );
}
