import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type z } from 'zod';
import { type logPart, type readLog } from '@millrace/contracts/runs/report';
import { type ObjectStore } from '@millrace/storage/object-store';
import { openRegular } from '@millrace/storage/open-regular';
import { LOG_BYTES, type StoredLog } from './store-log.js';
import { MaskedLog } from './variables/masked-log.js';
import { type Masker } from './variables/masker.js';

type ReadLog = z.infer<typeof readLog>;
type LogPart = z.infer<typeof logPart>;
type LogOf = Pick<ReadLog, 'run' | 'step' | 'task'>;
type Ended = Record<ReadLog['stream'], StoredLog | null>;

/** Of a step that runs: where its logs grow, and how they are read where it has variables. */
interface Running {
  folder: string;
  masker: Masker | null;
  masked: Partial<Record<ReadLog['stream'], MaskedLog>>;
}

const PART_BYTES = 256 * 1024;
const LOOK_MS = 100;

/** What running steps have printed so far, and for a minute what ended ones had, until the engine can tell. */
export class RecentLogs {
  private readonly running = new Map<string, Running>();
  private readonly ended = new LRUCache<string, Ended>({ max: 2_000, ttl: 60_000 });

  constructor(private readonly store: ObjectStore) {}

  /** `folder` is where the step's `stdout` and `stderr` grow. */
  begin(of: LogOf, folder: string, masker: Masker | null): void {
    this.running.set(keyOf(of), { folder, masker, masked: {} });
  }

  end(of: LogOf, logs: Ended): void {
    this.running.delete(keyOf(of));
    this.ended.set(keyOf(of), { stdout: logs.stdout, stderr: logs.stderr });
  }

  /** The next part from `offset`; waits up to `waitMs` for the first byte of it. */
  async read(asked: ReadLog): Promise<LogPart> {
    const until = Date.now() + asked.waitMs;
    for (;;) {
      const part = await this.look(asked);
      if (part.state !== 'running' || part.chunk !== '' || Date.now() >= until) return part;
      await sleep(LOOK_MS);
    }
  }

  private async look(asked: ReadLog): Promise<LogPart> {
    const running = this.running.get(keyOf(asked));
    if (running) return { state: 'running', chunk: readRunning(running, asked).toString('base64') };
    const ended = this.ended.get(keyOf(asked));
    return ended ? this.readStored(ended[asked.stream], asked.offset) : { state: 'unknown', chunk: '' };
  }

  private async readStored(log: StoredLog | null, offset: number): Promise<LogPart> {
    if (!log || offset >= log.size) return { state: 'ended', chunk: '' };
    const end = Math.min(log.size, offset + PART_BYTES);
    const chunk = await this.store.readAll(log.sha256, { start: offset, end: end - 1 });
    return { state: end === log.size ? 'ended' : 'running', chunk: chunk.toString('base64') };
  }
}

function readRunning(running: Running, { stream, offset }: ReadLog): Buffer {
  const read = (from: number) => readPart(join(running.folder, stream), from);
  if (!running.masker) return read(offset);
  return (running.masked[stream] ??= new MaskedLog(running.masker, read)).read(offset, PART_BYTES);
}

const keyOf = ({ run, step, task }: LogOf): string => `${run}/${step}/${task}`;

/** The command can put anything in the place of its log: no links, and no waiting for pipes. */
function readPart(path: string, offset: number): Buffer {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      const chunk = Buffer.allocUnsafe(Math.max(0, Math.min(PART_BYTES, Math.min(size, LOG_BYTES) - offset)));
      return chunk.subarray(0, fs.readSync(descriptor, chunk, 0, chunk.length, offset));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
