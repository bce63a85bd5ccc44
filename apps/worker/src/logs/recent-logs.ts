import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type z } from 'zod';
import { findLastLines } from '@millrace/contracts/runs/find-last-lines';
import { completeLogSize, locateInLog } from '@millrace/contracts/runs/log-gap';
import { type logPart, type readLog } from '@millrace/contracts/runs/report';
import { type ObjectStore } from '@millrace/storage/object-store';
import { openRegular } from '@millrace/storage/open-regular';
import { MaskedLog } from '../masking/masked-log.js';
import { MAX_TAIL_BYTES } from '../masking/masked-tail.js';
import { type Masker } from '../masking/masker.js';
import { type StoredLog } from './store-log.js';

type ReadLog = z.infer<typeof readLog>;
type LogPart = z.infer<typeof logPart>;
type LogOf = Pick<ReadLog, 'run' | 'step' | 'task'>;
type Logs = Record<ReadLog['stream'], StoredLog | null>;

/** Of a step that runs: where its logs grow, and how they are read where it has variables. */
interface Running {
  startedAt: number;
  folder: string;
  masker: Masker | null;
  masked: Partial<Record<ReadLog['stream'], MaskedLog>>;
}

interface Ended {
  startedAt: number;
  logs: Logs;
}

const PART_BYTES = 256 * 1024;
const LOOK_MS = 100;

/** What running steps have printed so far, and for a minute what ended ones had, until the engine can tell. */
export class RecentLogs {
  private readonly running = new Map<string, Running>();
  private readonly ended = new LRUCache<string, Ended>({ max: 2_000, ttl: 60_000 });

  constructor(private readonly store: ObjectStore) {}

  /** `folder` is where the step's `stdout` and `stderr` grow; `startedAt`, as it is reported, tells attempts apart. */
  begin(of: LogOf, startedAt: number, folder: string, masker: Masker | null): void {
    this.running.set(keyOf(of), { startedAt, folder, masker, masked: {} });
  }

  end(of: LogOf, logs: Logs): void {
    const startedAt = this.running.get(keyOf(of))?.startedAt ?? 0;
    this.running.delete(keyOf(of));
    this.ended.set(keyOf(of), { startedAt, logs: { stdout: logs.stdout, stderr: logs.stderr } });
  }

  /** The next part from `offset`, or where the last lines begin; waits up to `waitMs` for the first byte of a part. */
  async read(asked: ReadLog): Promise<LogPart> {
    const until = Date.now() + asked.waitMs;
    for (;;) {
      const part = await this.look(asked);
      if (part.state !== 'running' || part.chunk !== '' || Date.now() >= until) return part;
      await sleep(LOOK_MS);
    }
  }

  private async look(asked: ReadLog): Promise<LogPart> {
    const isMeant = (one: { startedAt: number } | undefined) =>
      one !== undefined && (asked.startedAt === undefined || asked.startedAt === one.startedAt);
    const running = this.running.get(keyOf(asked));
    if (running && isMeant(running)) return this.readRunning(running, asked);
    const ended = this.ended.get(keyOf(asked));
    if (ended && isMeant(ended) && asked.tail === undefined) {
      return this.readStored(ended.logs[asked.stream], asked.offset);
    }
    return { state: 'unknown', chunk: '' };
  }

  private async readRunning(running: Running, { stream, offset, tail }: ReadLog): Promise<LogPart> {
    const path = join(running.folder, stream);
    const { masker } = running;
    if (masker) running.masked[stream] ??= new MaskedLog(masker, (from) => readPart(path, from));
    const masked = running.masked[stream];
    if (tail !== undefined) {
      return { state: 'running', chunk: '', offset: await (masked?.findLastLines(tail) ?? findTail(path, tail)) };
    }
    const part = masked ? await masked.read(offset, PART_BYTES) : readPart(path, offset);
    return { state: 'running', chunk: part.toString('base64') };
  }

  private async readStored(log: StoredLog | null, offset: number): Promise<LogPart> {
    if (!log || offset >= completeLogSize(log)) return { state: 'ended', chunk: '' };
    const { skipped, start, end } = locateInLog(log, offset);
    const until = Math.min(end, start + PART_BYTES);
    const chunk = await this.store.readAll(log.sha256, { start, end: until - 1 });
    const isLast = offset + skipped + chunk.length >= completeLogSize(log);
    return { state: isLast ? 'ended' : 'running', chunk: chunk.toString('base64'), offset: offset + skipped };
  }
}

const keyOf = ({ run, step, task }: LogOf): string => `${run}/${step}/${task}`;

/** Where the last lines of a growing file begin, 4 MiB before its end at the most. */
function findTail(path: string, lines: number): number {
  let start = 0;
  const bytes = readFrom(path, (size) => ({
    start: (start = Math.max(0, size - MAX_TAIL_BYTES)),
    length: size - start,
  }));
  return start + findLastLines(bytes, lines);
}

const readPart = (path: string, offset: number): Buffer =>
  readFrom(path, (size) => ({ start: offset, length: Math.max(0, Math.min(PART_BYTES, size - offset)) }));

/** The command can put anything in the place of its log: no links, and no waiting for pipes. */
function readFrom(path: string, choose: (size: number) => { start: number; length: number }): Buffer {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      const { start, length } = choose(size);
      const chunk = Buffer.allocUnsafe(length);
      return chunk.subarray(0, fs.readSync(descriptor, chunk, 0, length, start));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
