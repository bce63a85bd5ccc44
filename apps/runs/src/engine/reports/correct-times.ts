import type { Report } from '@millrace/contracts/runs/report';

/** When a dispatch existed, by the clock of this service, in milliseconds since the epoch. */
interface Lifetime {
  dispatchedAt: number;
  now: number;
}

/**
 * Corrects the times of a report whose worker has a wrong clock. A step cannot start before its dispatch, nor end after its
 * report has arrived. Such times are moved, so that the step ends now and has taken as long as the worker has measured.
 */
export function correctTimes(report: Report, { dispatchedAt, now }: Lifetime): Report {
  if (report.type === 'started') {
    return isWithin(report.at, dispatchedAt, now) ? report : { ...report, at: now };
  }
  if (report.type !== 'finished') return report;
  const { startedAt, at } = report;
  if (startedAt >= dispatchedAt && isWithin(at, startedAt, now)) return report;
  return { ...report, startedAt: Math.max(dispatchedAt, now - Math.max(0, at - startedAt)), at: now };
}

const isWithin = (time: number, from: number, until: number): boolean => time >= from && time <= until;
