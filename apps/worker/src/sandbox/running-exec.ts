import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import { WATCH_LEASE_MS, type beginExec, type readExec } from '@millrace/contracts/runs/sandbox-hosts';
import { setOutputAside, readOutputChunk } from './command-output.js';

export type ExecRequest = Input<typeof beginExec>['body'];
type ReadRequest = Input<typeof readExec>['body'];

const LOOK_MS = 30;

/** One command, from its request until its output can no longer be read. */
export class RunningExec {
  exit: SandboxExit | null = null;
  endedAt = Infinity;
  /** Why it is to end, where it does not by itself. */
  stopped: string | null = null;
  /** Where what it prints grows; null before it has begun. */
  private folder: string | null = null;
  private prefix = '';
  private end: (() => void) | null = null;
  private watchedUntil = Date.now() + WATCH_LEASE_MS;

  constructor(readonly order: ExecRequest) {}

  get isWatched(): boolean {
    return Date.now() < this.watchedUntil;
  }

  /** Somebody reads it. */
  watch(): void {
    this.watchedUntil = Date.now() + WATCH_LEASE_MS;
  }

  /** It runs from now on: `end` ends it, what it prints lies in `folder`. */
  begin(folder: string, end: () => void): void {
    this.folder = folder;
    this.end = end;
  }

  stop(reason: string): void {
    if (this.stopped !== null) return;
    this.stopped = reason;
    this.end?.();
  }

  /** Its processes are gone; what it printed is put aside, so that another one can run. */
  putAside(folder: string): { truncated: boolean } {
    const from = this.folder;
    this.end = null;
    if (from === null) return { truncated: false };
    this.prefix = `${this.order.exec}.`;
    this.folder = folder;
    const longer = ['stdout', 'stderr'].filter((name) =>
      setOutputAside(join(from, name), join(folder, `${this.prefix}${name}`)),
    );
    return { truncated: longer.length > 0 };
  }

  finish(exit: SandboxExit): void {
    this.exit = exit;
    this.endedAt = Date.now();
  }

  /** The next parts of what it printed; waits for the first byte of them, or its end. */
  async read({ stdout, stderr, waitMs }: ReadRequest): Promise<Result<typeof readExec>> {
    const until = Date.now() + waitMs;
    for (;;) {
      this.watch();
      // Before looking: what it printed last must not be missed.
      const { exit } = this;
      const parts = { stdout: this.part('stdout', stdout), stderr: this.part('stderr', stderr) };
      const isEmpty = parts.stdout === '' && parts.stderr === '';
      if (isEmpty && exit) return { known: true, ...parts, exit };
      if (!isEmpty || Date.now() >= until) return { known: true, ...parts };
      await sleep(LOOK_MS);
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
