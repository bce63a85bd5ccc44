import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { readExec } from '@millrace/contracts/runs/sandbox-hosts';
import { RunningExec, type ExecRequest } from './running-exec.js';
import { Sandbox, type SandboxTools } from './sandbox.js';

interface Box {
  session: string;
  sandbox: Sandbox;
  opened: Promise<void>;
  isOpen: boolean;
  /** What runs in it, to its end. */
  work: Promise<void>;
}

/** How long it can still be asked what an ended command printed, in milliseconds. */
const OUTPUT_RETENTION_MS = 60_000;

/**
 * The sandboxes of one worker. It is a cache: what lasts of a session is in the workspace store, so one that nobody uses
 * right now gives way to another, and is made again where its session comes back.
 */
export class SandboxHost {
  private readonly boxes = new Map<string, Box>();
  private readonly execs = new Map<string, RunningExec>();

  constructor(
    private readonly tools: SandboxTools,
    readonly slots: number,
  ) {
    mkdirSync(tools.ended, { recursive: true });
  }

  get sessions(): string[] {
    return [...this.boxes.keys()];
  }

  /** Commands that have not ended. */
  get underWay(): string[] {
    return [...this.execs.values()].filter(({ exit }) => exit === null).map(({ order }) => order.exec);
  }

  /** Has a sandbox ready. @returns whether there was room; @throws where it cannot be made */
  async open(session: string): Promise<boolean> {
    return (await this.boxOf(session)) !== null;
  }

  /** Begins with a command, or goes on with it. @returns whether there was room */
  async begin(order: ExecRequest): Promise<boolean> {
    if (this.execs.has(order.exec)) return true;
    const exec = new RunningExec(order);
    this.execs.set(order.exec, exec);
    const box = await this.boxOf(order.session).catch(() => null);
    // It may have given way while this waited for its turn.
    if (!box || box.sandbox.running || this.boxes.get(order.session) !== box) {
      this.execs.delete(order.exec);
      return false;
    }
    box.sandbox.running = exec;
    box.work = this.run(box, exec);
    return true;
  }

  async read(request: Input<typeof readExec>['body']): Promise<Result<typeof readExec>> {
    return (await this.execs.get(request.exec)?.read(request)) ?? { known: false, stdout: '', stderr: '' };
  }

  watch({ exec: id, watching }: { exec: string; watching: boolean }): void {
    const exec = this.execs.get(id);
    if (watching) exec?.watch();
    else exec?.stop('the client disconnected');
  }

  /** Ends these sessions' sandboxes and forgets them. */
  async release(sessions: readonly string[], reason = 'the session was stopped'): Promise<void> {
    await Promise.all(sessions.map((session) => this.end(this.boxes.get(session), reason)));
  }

  /** To be called every second or so. */
  tend(now = Date.now()): void {
    for (const [id, exec] of this.execs) {
      if (exec.exit === null && !exec.isWatched) exec.stop('no client reads its output');
      if (exec.endedAt + OUTPUT_RETENTION_MS > now) continue;
      exec.forget();
      this.execs.delete(id);
    }
  }

  async close(): Promise<void> {
    await this.release(this.sessions, 'the worker is shutting down');
  }

  private async boxOf(session: string): Promise<Box | null> {
    const box = this.boxes.get(session) ?? this.make(session);
    if (!box) return null;
    try {
      await box.opened;
      return box;
    } catch (error) {
      await this.end(box, 'the sandbox could not be started');
      throw error;
    }
  }

  private make(session: string): Box | null {
    if (this.boxes.size >= this.slots && !this.makeRoom()) return null;
    const sandbox = new Sandbox(`sandbox-${randomUUID()}`, session, this.tools);
    const box: Box = { session, sandbox, opened: sandbox.open(), isOpen: false, work: Promise.resolve() };
    box.opened.then(
      () => (box.isOpen = true),
      () => undefined,
    );
    this.boxes.set(session, box);
    return box;
  }

  /** Ends the one that was used longest ago of those in which nothing runs. */
  private makeRoom(): boolean {
    const idle = [...this.boxes.values()].filter(({ sandbox, isOpen }) => isOpen && sandbox.running === null);
    const oldest = idle.sort((a, b) => a.sandbox.usedAt - b.sandbox.usedAt)[0];
    void this.end(oldest, 'another session needed the sandbox');
    return oldest !== undefined;
  }

  private async run(box: Box, exec: RunningExec): Promise<void> {
    const { sandbox } = box;
    const begun = Date.now();
    try {
      exec.finish(await sandbox.run(exec));
    } catch (error) {
      process.emitWarning(`A command in a sandbox could not be run: ${String(error)}`);
      const nothing = { timed_out: false, truncated: false, saved: false };
      exec.finish({ ...nothing, reason: 'the worker could not run the command', duration_ms: Date.now() - begun });
    }
    sandbox.usedAt = Date.now();
    sandbox.running = null;
    if (sandbox.broken) void this.end(box, 'the sandbox is broken');
  }

  private async end(box: Box | undefined, reason: string): Promise<void> {
    if (!box || this.boxes.get(box.session) !== box) return;
    this.boxes.delete(box.session);
    box.sandbox.running?.stop(reason);
    await box.work;
    await box.sandbox.close().catch((error: unknown) => {
      process.emitWarning(`A sandbox could not be removed: ${String(error)}`);
    });
  }
}
