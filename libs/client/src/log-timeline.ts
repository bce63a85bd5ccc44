import type { LogTimes } from './generated/types.js';

/** Bytes of a received log that are not in the complete log: the line that replaces missing bytes. */
export interface LogGap {
  /** Where the line begins and ends in the received log. */
  start: number;
  end: number;
  /** Missing bytes. */
  bytes: number;
}

/** Reads bytes of a received log. */
type ReadBytes = (start: number, end: number) => Uint8Array;

/** When the bytes of a log were written, by their places in what a reader has received. */
export class LogTimeline {
  /** @param gap see `findLogGap` */
  constructor(
    private readonly times: Pick<LogTimes, 'samples'>,
    private readonly gap?: LogGap,
  ) {}

  /** The end of the log that has times, in bytes of the complete log. */
  get end(): number {
    return this.times.samples.at(-1)?.offset ?? 0;
  }

  /**
   * When a byte was written, at the latest. O(log samples).
   * @param place of the byte in the received log
   * @returns milliseconds since the start of the attempt; undefined if that is not known, or not yet
   */
  find(place: number): number | undefined {
    const { gap } = this;
    if (!gap || place < gap.start) return this.findByte(place);
    return place < gap.end ? undefined : this.findByte(place - (gap.end - gap.start) + gap.bytes);
  }

  private findByte(offset: number): number | undefined {
    const { samples } = this.times;
    let [low, high] = [0, samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((samples[middle]?.offset ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return samples[low]?.elapsed_ms;
  }
}

/** As `describeLogGap` of the server writes it. */
const gapLine = (bytes: number): Uint8Array =>
  new TextEncoder().encode(`\n… ${bytes} bytes of this log were not kept …\n`);

/**
 * Finds the line that replaces missing bytes of a stored log. A reader who has followed the log gets it later than one who
 * reads it from the start, or not at all.
 * @param received bytes so far, from the start of the log
 */
export function findLogGap(
  { omitted, size }: Pick<LogTimes, 'omitted' | 'size'>,
  received: number,
  read: ReadBytes,
): LogGap | undefined {
  if (!omitted || size === undefined) return undefined;
  const end = omitted.offset + omitted.bytes;
  const find = (start: number): LogGap | undefined => {
    const line = gapLine(end - start);
    const isThere = equals(read(start, Math.min(received, start + line.length)), line);
    return isThere ? { start, end: start + line.length, bytes: end - start } : undefined;
  };
  // All that follows the missing bytes has been received, so the length of the rest gives the place.
  for (let length = gapLine(1).length, digits = 1; digits <= String(omitted.bytes).length; digits++, length++) {
    const start = received - (size - end) - length;
    const found = start > omitted.offset && start < end && String(end - start).length === digits && find(start);
    if (found) return found;
  }
  return find(omitted.offset);
}

const equals = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, place) => byte === other[place]);
