import * as fs from 'node:fs';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { SANDBOX_SESSION_LIMITS, type SandboxExit } from '@millrace/contracts/runs/sandbox';
import { WATCH_LEASE_MS, type beginExec, type readExec } from '@millrace/contracts/runs/sandbox-hosts';
import { openRegular } from '@millrace/storage/disk/open-regular';

export type ExecRequest = Input<typeof beginExec>['body'];
type ReadRequest = Input<typeof readExec>['body'];

const POLL_INTERVAL_MS = 30;

/** One command, from its request until its output can no longer be read. */
export class RunningExec {
  exit: SandboxExit | null = null;
  endedAt = Infinity;
  /** Why it must end; null if it ends by itself. */
  stopped: string | null = null;
  /** Folder of its output; null before it has begun. */
  private folder: string | null = null;
  private prefix = '';
  private end: (() => void) | null = null;
  private watchedUntil = Date.now() + WATCH_LEASE_MS;

  constructor(readonly request: ExecRequest) {}

  get isWatched(): boolean {
    return Date.now() < this.watchedUntil;
  }

  /** A client reads its output. */
  watch(): void {
    this.watchedUntil = Date.now() + WATCH_LEASE_MS;
  }

  /** It runs from now on. `end` ends it, `folder` contains its output. */
  begin(folder: string, end: () => void): void {
    this.folder = folder;
    this.end = end;
  }

  stop(reason: string): void {
    if (this.stopped !== null) return;
    this.stopped = reason;
    this.end?.();
  }

  /** Moves its output after its processes have ended, so that another command can run. */
  moveOutputTo(folder: string): { truncated: boolean } {
    const from = this.folder;
    this.end = null;
    if (from === null) return { truncated: false };
    this.prefix = `${this.request.exec}.`;
    this.folder = folder;
    const cut = ['stdout', 'stderr'].filter((name) =>
      moveOutput(join(from, name), join(folder, `${this.prefix}${name}`)),
    );
    return { truncated: cut.length > 0 };
  }

  finish(exit: SandboxExit): void {
    this.exit = exit;
    this.endedAt = Date.now();
  }

  /** The next parts of its output. Waits for their first byte, or the end of the command. */
  async read({ stdout, stderr, waitMs }: ReadRequest): Promise<Result<typeof readExec>> {
    const until = Date.now() + waitMs;
    for (;;) {
      this.watch();
      // Read before the output, so that its last part is not missed.
      const { exit } = this;
      const parts = { stdout: this.part('stdout', stdout), stderr: this.part('stderr', stderr) };
      const isEmpty = parts.stdout === '' && parts.stderr === '';
      if (isEmpty && exit) return { known: true, ...parts, exit };
      if (!isEmpty || Date.now() >= until) return { known: true, ...parts };
      await sleep(POLL_INTERVAL_MS);
    }
  }

  forget(): void {
    if (this.folder === null || this.prefix === '') return;
    for (const name of ['stdout', 'stderr']) {
      rmSync(join(this.folder, `${this.prefix}${name}`), { force: true, recursive: true });
    }
  }

  private part(name: string, offset: number): string {
    return this.folder === null
      ? ''
      : readOutputChunk(join(this.folder, `${this.prefix}${name}`), offset).toString('base64');
  }
}

const PART_BYTES = 256 * 1024;
const { O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** The next part of a command's output. Follows no links and does not block on pipes: a command can replace its log by anything. */
function readOutputChunk(path: string, offset: number): Buffer {
  return (
    withFile(path, (descriptor, size) => {
      const length = Math.min(PART_BYTES, Math.min(size, SANDBOX_SESSION_LIMITS.outputBytes) - offset);
      const chunk = Buffer.allocUnsafe(Math.max(0, length));
      return chunk.subarray(0, fs.readSync(descriptor, chunk, 0, chunk.length, offset));
    }) ?? Buffer.alloc(0)
  );
}

/**
 * Moves the output of a command to another file, and cuts it at the limit of a session.
 * @returns whether it was cut
 */
function moveOutput(from: string, to: string): boolean {
  if (withFile(from, () => true) === null) return false;
  fs.renameSync(from, to);
  // It is opened at its new path, which commands cannot reach: a command that is being killed may still write.
  const descriptor = fs.openSync(to, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const isLonger = fs.fstatSync(descriptor).size > SANDBOX_SESSION_LIMITS.outputBytes;
    if (isLonger) fs.ftruncateSync(descriptor, SANDBOX_SESSION_LIMITS.outputBytes);
    return isLonger;
  } finally {
    fs.closeSync(descriptor);
  }
}

function withFile<T>(path: string, use: (descriptor: number, size: number) => T): T | null {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      return use(descriptor, size);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
