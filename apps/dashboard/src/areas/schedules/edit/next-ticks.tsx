import { Time } from '../../../ui/time.js';
import { listCronTicks, listPeriodTicks } from './list-next-ticks.js';
import type { ScheduleForm } from './schedule-form.js';

/** The next five starts that the form would have, computed as the server does. */
export function NextTicks({ form }: { form: ScheduleForm }) {
  const { kind, cron, timezone, period, start } = form;
  if (kind === 'continuous') return null;
  const notBefore = start === '' ? undefined : new Date(start);
  const now = new Date();
  if (kind === 'period') {
    const minutes = Number(period);
    if (!Number.isInteger(minutes) || minutes < 1) return null;
    return <TickList ticks={listPeriodTicks(minutes, notBefore, now)} timezone={undefined} />;
  }
  const result = listCronTicks({ cron, timezone }, notBefore, now);
  if ('problem' in result)
    return (
      <p role="status" className="wrap-text text-xs text-failed">
        {result.problem}
      </p>
    );
  if (result.ticks.length === 0) return <p className="text-xs text-failed">No time matches this expression.</p>;
  return <TickList ticks={result.ticks} timezone={timezone} />;
}

/** @param timezone in which the times are shown; undefined for the reader's own */
function TickList({ ticks, timezone }: { ticks: readonly Date[]; timezone: string | undefined }) {
  const format = new Intl.DateTimeFormat(undefined, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...(ticks.some((tick) => tick.getUTCSeconds() !== 0) && { second: '2-digit' }),
    ...(timezone !== undefined && { timeZone: timezone }),
    timeZoneName: 'short',
  });
  return (
    <div className="rounded-md border border-line bg-panel px-3 py-2 text-xs">
      <p className="mb-1 font-medium">The next five starts</p>
      <ol className="nums flex flex-col gap-0.5">
        {ticks.map((tick) => (
          <li key={tick.getTime()} className="flex justify-between gap-4">
            <span>{format.format(tick)}</span>
            <Time value={tick.toISOString()} className="text-muted" />
          </li>
        ))}
      </ol>
    </div>
  );
}
