import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type z } from 'zod';
import { findLastLines } from '@millrace/contracts/runs/find-last-lines';
import { completeLogSize, locateInLog } from '@millrace/contracts/runs/log-gap';
import { type logPart, type readLog } from '@millrace/contracts/runs/report';
import { openRegular } from '@millrace/storage/disk/open-regular';
import { type ObjectStore } from '@millrace/storage/object-store';
import { MaskedLog } from '../masking/masked-log.js';
import { MaskedOffsets } from '../masking/masked-offsets.js';
import { MAX_TAIL_BYTES } from '../masking/masked-tail.js';
import { type Masker } from '../masking/masker.js';
import { LogSampler, type SampledStep } from './sampled-step.js';
import { type StoredLog } from './store-log.js';

type ReadLog = z.infer<typeof readLog>;
type LogPart = z.infer<typeof logPart>;
type LogKey = Pick<ReadLog, 'run' | 'step' | 'task'>;
type ReadTimes = Pick<ReadLog, 'run' | 'step' | 'task' | 'stream' | 'startedAt'>;
type Logs = Record<ReadLog['stream'], StoredLog | null>;

/** Logs of a running step. */
interface RunningLogs {
  startedAt: number;
  folder: string;
  masker: Masker | null;
  masked: Partial<Record<ReadLog['stream'], MaskedLog>>;
  sampled: SampledStep;
  offsets: Partial<Record<ReadLog['stream'], MaskedOffsets>>;
}

interface EndedLogs {
  startedAt: number;
  logs: Logs;
}

const MAX_PART_BYTES = 256 * 1024;
const POLL_INTERVAL_MS = 100;
/** How long one request for times may mask a log. The response then has the times of its beginning. */
const MAX_TRANSLATE_MS = 1_000;

/** The output of running steps so far, and for one minute that of ended steps, until the engine has recorded their logs. */
export class RecentLogs {
  private readonly running = new Map<string, RunningLogs>();
  private readonly ended = new LRUCache<string, EndedLogs>({ max: 2_000, ttl: 60_000 });

  private readonly sampler = new LogSampler();

  constructor(private readonly store: ObjectStore) {}

  /**
   * @param startedAt time of the report `started`, which distinguishes attempts
   * @param folder of the files `stdout` and `stderr`
   */
  begin(of: LogKey, startedAt: number, folder: string, masker: Masker | null): SampledStep {
    const sampled = this.sampler.begin(folder);
    this.running.set(keyOf(of), { startedAt, folder, masker, masked: {}, sampled, offsets: {} });
    return sampled;
  }

  end(of: LogKey, logs: Logs): void {
    const running = this.running.get(keyOf(of));
    running?.sampled.stop();
    const startedAt = running?.startedAt ?? 0;
    this.running.delete(keyOf(of));
    this.ended.set(keyOf(of), { startedAt, logs: { stdout: logs.stdout, stderr: logs.stderr } });
  }

  /** Reads the next part from `offset`, or finds the start of the last lines. Waits up to `waitMs` for the first byte. */
  async read(request: ReadLog): Promise<LogPart> {
    const deadline = Date.now() + request.waitMs;
    for (;;) {
      const part = await this.readNow(request);
      if (part.state !== 'running' || part.chunk !== '' || Date.now() >= deadline) return part;
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** When the log of a running step was written: offsets in the log as users read it, and times. */
  async readTimes({ stream, startedAt, ...of }: ReadTimes): Promise<number[]> {
    const running = this.running.get(keyOf(of));
    if (!running || (startedAt !== undefined && startedAt !== running.startedAt)) return [];
    const { masker, folder } = running;
    const samples = running.sampled.samplesOf(stream);
    if (!samples || !masker) return samples?.list() ?? [];
    const offsets = (running.offsets[stream] ??= new MaskedOffsets(masker, (from) =>
      readPart(join(folder, stream), from),
    ));
    await offsets.translate([...samples.sizes], MAX_TRANSLATE_MS);
    return samples.list(offsets.find);
  }

  private async readNow(request: ReadLog): Promise<LogPart> {
    const matches = (one: { startedAt: number } | undefined) =>
      one !== undefined && (request.startedAt === undefined || request.startedAt === one.startedAt);
    const running = this.running.get(keyOf(request));
    if (running && matches(running)) return this.readRunning(running, request);
    const ended = this.ended.get(keyOf(request));
    if (ended && matches(ended) && request.tail === undefined) {
      return this.readStored(ended.logs[request.stream], request.offset);
    }
    return { state: 'unknown', chunk: '' };
  }

  private async readRunning(running: RunningLogs, { stream, offset, tail }: ReadLog): Promise<LogPart> {
    const path = join(running.folder, stream);
    const { masker } = running;
    if (masker) running.masked[stream] ??= new MaskedLog(masker, (from) => readPart(path, from));
    const masked = running.masked[stream];
    if (tail !== undefined) {
      return { state: 'running', chunk: '', offset: await (masked?.findLastLines(tail) ?? findTail(path, tail)) };
    }
    const part = masked ? await masked.read(offset, MAX_PART_BYTES) : readPart(path, offset);
    return { state: 'running', chunk: part.toString('base64') };
  }

  private async readStored(log: StoredLog | null, offset: number): Promise<LogPart> {
    if (!log || offset >= completeLogSize(log)) return { state: 'ended', chunk: '' };
    const { skipped, start, end } = locateInLog(log, offset);
    const rangeEnd = Math.min(end, start + MAX_PART_BYTES);
    const chunk = await this.store.readAll(log.sha256, { start, end: rangeEnd - 1 });
    const isLast = offset + skipped + chunk.length >= completeLogSize(log);
    return { state: isLast ? 'ended' : 'running', chunk: chunk.toString('base64'), offset: offset + skipped };
  }
}

const keyOf = ({ run, step, task }: LogKey): string => `${run}/${step}/${task}`;

/** Offset of the last lines of a growing file, at most 4 MiB before its end. */
function findTail(path: string, lines: number): number {
  let start = 0;
  const bytes = readFrom(path, (size) => ({
    start: (start = Math.max(0, size - MAX_TAIL_BYTES)),
    length: size - start,
  }));
  return start + findLastLines(bytes, lines);
}

const readPart = (path: string, offset: number): Buffer =>
  readFrom(path, (size) => ({ start: offset, length: Math.max(0, Math.min(MAX_PART_BYTES, size - offset)) }));

/** Follows no links and does not block on pipes: a command can replace its log by anything. */
function readFrom(path: string, chooseRange: (size: number) => { start: number; length: number }): Buffer {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      const { start, length } = chooseRange(size);
      const chunk = Buffer.allocUnsafe(length);
      return chunk.subarray(0, fs.readSync(descriptor, chunk, 0, length, start));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
