import type { Run, Subjob } from '@millrace/client';

/** The times that the left and the right end of all bars stand for, in milliseconds. */
export interface TimeAxis {
  start: number;
  end: number;
}

export function axisOf(run: Pick<Run, 'created_date' | 'started_date' | 'completed_date'>, now: number): TimeAxis {
  const start = Date.parse(run.started_date ?? run.created_date);
  const end = run.completed_date === undefined ? now : Date.parse(run.completed_date);
  return { start, end: Math.max(end, start + 1) };
}

/** A bar in percent of the axis. */
export interface Bar {
  left: number;
  width: number;
}

/** Shorter bars could not be seen. */
const MIN_WIDTH = 0.8;

/** The bar of a step; undefined if it has not started, or waits for its next attempt. Times outside of the axis are cut. */
export function barOf(
  { status, started_at: started, finished_at: finished }: Pick<Subjob, 'status' | 'started_at' | 'finished_at'>,
  { start, end }: TimeAxis,
): Bar | undefined {
  if (started === undefined || (status === 'PENDING' && finished === undefined)) return undefined;
  const place = (time: number) => Math.min(100, Math.max(0, ((time - start) / (end - start)) * 100));
  const left = Math.min(place(Date.parse(started)), 100 - MIN_WIDTH);
  const right = finished === undefined ? 100 : place(Date.parse(finished));
  return { left, width: Math.max(MIN_WIDTH, right - left) };
}
