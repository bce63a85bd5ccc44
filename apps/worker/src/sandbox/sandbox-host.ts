import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { readExec } from '@millrace/contracts/runs/sandbox-hosts';
import { RunningExec, type ExecRequest } from './running-exec.js';
import { Sandbox, type SandboxTools } from './sandbox.js';

interface HostedSandbox {
  session: string;
  sandbox: Sandbox;
  opened: Promise<void>;
  isOpen: boolean;
  /** Resolves when the command that runs in it has ended. */
  work: Promise<void>;
}

/** How long the output of an ended command can still be read. */
const OUTPUT_RETENTION_MS = 60_000;

/**
 * The sandboxes of one worker. They are a cache: the files of a session are in the workspace store. An idle sandbox can
 * therefore be replaced by that of another session, and is made again when its session continues.
 */
export class SandboxHost {
  private readonly hosted = new Map<string, HostedSandbox>();
  private readonly execs = new Map<string, RunningExec>();
  private isDraining = false;

  constructor(
    private readonly tools: SandboxTools,
    private readonly ownSlots: number,
  ) {
    mkdirSync(tools.ended, { recursive: true });
  }

  /** Number of sandboxes that it may have; 0 while it drains. */
  get slots(): number {
    return this.isDraining ? 0 : this.ownSlots;
  }

  get sessions(): string[] {
    return [...this.hosted.keys()];
  }

  /** Commands that have not ended. */
  get runningExecs(): string[] {
    return [...this.execs.values()].filter(({ exit }) => exit === null).map(({ request }) => request.exec);
  }

  /** Starts a sandbox. @returns whether a slot was free @throws if it cannot be started */
  async open(session: string): Promise<boolean> {
    return (await this.findOrStart(session)) !== null;
  }

  /** Starts a command; does nothing if it runs already. @returns whether a slot was free */
  async begin(request: ExecRequest): Promise<boolean> {
    if (this.execs.has(request.exec)) return true;
    if (this.isDraining) return false;
    const exec = new RunningExec(request);
    this.execs.set(request.exec, exec);
    const entry = await this.findOrStart(request.session).catch(() => null);
    // Another session may have replaced it in the meantime.
    if (!entry || entry.sandbox.running || this.hosted.get(request.session) !== entry) {
      this.execs.delete(request.exec);
      return false;
    }
    entry.sandbox.running = exec;
    entry.work = this.run(entry, exec);
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
    await Promise.all(sessions.map((session) => this.end(this.hosted.get(session), reason)));
  }

  /** Stops commands that no client reads, and forgets old output. Call it about every second. */
  cleanUp(now = Date.now()): void {
    for (const [id, exec] of this.execs) {
      if (exec.exit === null && !exec.isWatched) exec.stop('no client reads its output');
      if (exec.endedAt + OUTPUT_RETENTION_MS > now) continue;
      exec.forget();
      this.execs.delete(id);
    }
  }

  /** Starts no sandboxes and no commands, and waits up to `timeoutMs` for those that run. */
  async drain(timeoutMs: number): Promise<void> {
    this.isDraining = true;
    const works = Promise.all([...this.hosted.values()].map(({ work }) => work));
    await Promise.race([works, sleep(timeoutMs, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    this.isDraining = true;
    await this.release(this.sessions, 'the worker is shutting down');
  }

  private async findOrStart(session: string): Promise<HostedSandbox | null> {
    const entry = this.hosted.get(session) ?? this.start(session);
    if (!entry) return null;
    try {
      await entry.opened;
      return entry;
    } catch (error) {
      await this.end(entry, 'the sandbox could not be started');
      throw error;
    }
  }

  private start(session: string): HostedSandbox | null {
    if (this.isDraining || (this.hosted.size >= this.slots && !this.evictIdle())) return null;
    const sandbox = new Sandbox(`sandbox-${randomUUID()}`, session, this.tools);
    const entry: HostedSandbox = { session, sandbox, opened: sandbox.open(), isOpen: false, work: Promise.resolve() };
    entry.opened.then(
      () => (entry.isOpen = true),
      () => undefined,
    );
    this.hosted.set(session, entry);
    return entry;
  }

  /** Ends the least recently used idle sandbox. @returns whether there was one */
  private evictIdle(): boolean {
    const idle = [...this.hosted.values()].filter(({ sandbox, isOpen }) => isOpen && sandbox.running === null);
    const oldest = idle.sort((a, b) => a.sandbox.usedAt - b.sandbox.usedAt)[0];
    void this.end(oldest, 'another session needed the sandbox');
    return oldest !== undefined;
  }

  private async run(entry: HostedSandbox, exec: RunningExec): Promise<void> {
    const { sandbox } = entry;
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
    if (sandbox.broken) void this.end(entry, 'the sandbox is broken');
  }

  private async end(entry: HostedSandbox | undefined, reason: string): Promise<void> {
    if (!entry || this.hosted.get(entry.session) !== entry) return;
    this.hosted.delete(entry.session);
    entry.sandbox.running?.stop(reason);
    await entry.work;
    await entry.sandbox.close().catch((error: unknown) => {
      process.emitWarning(`A sandbox could not be removed: ${String(error)}`);
    });
  }
}
