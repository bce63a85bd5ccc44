import { useQuery } from '@tanstack/react-query';
import { findLogGap, LogTimeline } from '@millrace/client';
import type { LogBuffer } from '../text/log-buffer.js';
import type { LogSource } from '../use-log.js';
import { formatElapsed } from './format-elapsed.js';
import { logTimesQuery } from './log-times-query.js';

/** The times of the lines of one log. */
export interface LineTimes {
  timeline: LogTimeline;
  /** Start of the attempt. */
  startedAt: number | undefined;
  /** Characters of the longest time. */
  width: number;
}

/** Narrower columns would grow within the first minute. */
const MIN_WIDTH = 8;

/** Undefined if they are not shown, or not read yet. `isEmpty`: the log has no times. */
export function useLogTimes(
  source: LogSource,
  buffer: LogBuffer,
  isShown: boolean,
): { times: LineTimes | undefined; isEmpty: boolean } {
  const { data } = useQuery({ ...logTimesQuery(source), enabled: isShown });
  if (!isShown || !data) return { times: undefined, isEmpty: false };
  const last = data.samples.at(-1);
  if (!last) return { times: undefined, isEmpty: data.state === 'stored' };
  const gap = findLogGap(data, buffer.received, (start, end) => buffer.read(start, end));
  return {
    times: {
      timeline: new LogTimeline(data, gap),
      startedAt: data.started_at === undefined ? undefined : Date.parse(data.started_at),
      width: Math.max(MIN_WIDTH, formatElapsed(last.elapsed_ms).length),
    },
    isEmpty: false,
  };
}
