import { setTimeout as sleep } from 'node:timers/promises';
import { LogTimeline, type LogTimes } from '@millrace/client';
import { describeLogGap } from '@millrace/contracts/runs/log-gap';

const NEWLINE = 10;
/** The log of a running step arrives before its times are known. */
const MAX_TRIES = 8;
const RETRY_INTERVAL_MS = 250;
/** A longer line is printed in parts. */
const MAX_LINE_BYTES = 1024 * 1024;

export interface TimedLine {
  /** When it was written, at the latest; null if that is not known, absent if this continues a line. */
  time?: string | null;
  /** With its line break. */
  bytes: Uint8Array;
}

/** Divides a log into lines, and finds when each was written. */
export class TimedLines {
  private rest: Uint8Array = new Uint8Array();
  private isInLine = false;
  private times: LogTimes | null = null;
  private timeline: LogTimeline | null = null;

  /**
   * @param readTimes reads when the log was written up to now
   * @param place byte of the complete log at which the log begins
   */
  constructor(
    private readonly readTimes: () => Promise<LogTimes>,
    private place: number,
  ) {}

  /** @returns the lines that the chunk completes */
  async add(chunk: Uint8Array): Promise<TimedLine[]> {
    const bytes = Buffer.concat([this.rest, chunk]);
    const end = bytes.length > MAX_LINE_BYTES ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    this.rest = bytes.subarray(end);
    return this.describe(bytes.subarray(0, end));
  }

  /** @returns the line that is not completed */
  async end(): Promise<TimedLine[]> {
    const { rest } = this;
    this.rest = new Uint8Array();
    return this.describe(rest);
  }

  private async describe(bytes: Uint8Array): Promise<TimedLine[]> {
    if (bytes.length === 0) return [];
    await this.readUpTo(this.place + Math.max(0, bytes.lastIndexOf(NEWLINE, -2) + 1));
    const lines: TimedLine[] = [];
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const line = bytes.subarray(start, newline === -1 ? bytes.length : newline + 1);
      lines.push(this.isInLine ? { bytes: line } : this.describeLine(line));
      this.isInLine = newline === -1;
      start += line.length;
      this.place += line.length;
    }
    return lines;
  }

  private describeLine(bytes: Uint8Array): TimedLine {
    const missing = this.missingBytesAt(bytes);
    if (missing !== null) {
      // The line is in place of these bytes, together with the line break before it.
      this.place += missing - 1 - bytes.length;
      return { time: null, bytes };
    }
    const elapsedMs = this.timeline?.find(this.place);
    const start = this.times?.started_at;
    const isKnown = elapsedMs !== undefined && start !== undefined;
    return { time: isKnown ? new Date(Date.parse(start) + elapsedMs).toISOString() : null, bytes };
  }

  /** The number in a line about missing bytes. The log itself may contain such a line, with another number. */
  private missingBytesAt(bytes: Uint8Array): number | null {
    const omitted = this.times?.omitted;
    if (!omitted || this.place <= omitted.offset) return null;
    const missing = omitted.offset + omitted.bytes - (this.place - 1);
    // The line break in front of it ends the line before.
    const isThere = Buffer.from(describeLogGap(missing).slice(1)).equals(bytes);
    return isThere ? missing : null;
  }

  /** Waits until the time of a byte is known, unless it never will be. */
  private async readUpTo(place: number): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (this.times?.state === 'stored' || (this.timeline?.end ?? 0) > place) return;
      if (tries > 1) await sleep(RETRY_INTERVAL_MS);
      this.times = await this.readTimes();
      this.timeline = new LogTimeline(this.times);
    }
  }
}
