import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Input } from '@millrace/contracts/kit/operation';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import type { claimExec, finishExec } from '@millrace/contracts/runs/sandbox-hosts';
import type { InodePool } from '@millrace/isolation/folders/inode-pool';
import { wipeFolder } from '@millrace/isolation/folders/wipe-folder';
import type { Isolation } from '@millrace/isolation/prepare/prepare-isolation';
import type { CommandExit } from '@millrace/isolation/slot/running-command';
import { Slot } from '@millrace/isolation/slot/slot';
import type { ObjectStore } from '@millrace/storage/object-store';
import { type Changes, type ScannedEntry, collectChanges } from './collect-changes.js';
import { layOutWorkspace } from './lay-out-workspace.js';
import type { RunningExec } from './running-exec.js';
import { KILL_REASON_TEXTS } from './sandbox-limits.js';
import { WorkspaceError } from './scan-workspace.js';

type ExecCall<O extends typeof claimExec | typeof finishExec> = (
  body: Omit<Input<O>['body'], 'worker'>,
) => Promise<z.output<O['response']>>;

export interface SandboxTools {
  folder: string;
  /** Folder of the output of ended commands. */
  ended: string;
  /** Null if the worker can have no sandboxes. */
  isolation: Isolation | null;
  inodes: InodePool;
  store: ObjectStore;
  memoryBytes: number;
  claimExec: ExecCall<typeof claimExec>;
  finishExec: ExecCall<typeof finishExec>;
}

type Ended = Pick<SandboxExit, 'code' | 'signal' | 'truncated'> & { killReason: CommandExit['killReason'] };

/** Time between TERM and KILL. */
const GRACE_MS = 2_000;
const TIMED_OUT = 'the command took longer than timeout_seconds';
const NO_CHANGES = { changed: [], removed: [] };

/**
 * One session's sandbox, with folders, processes and limits of its own, which no other session ever gets. Commands run in it
 * one at a time, and leave nothing outside of the workspace.
 */
export class Sandbox {
  running: RunningExec | null = null;
  usedAt = Date.now();
  /** Whether it can no longer be used. */
  broken = false;
  private readonly slot: Slot;
  private readonly path: string;
  private readonly workspace: string;
  /** Revision of the workspace in the folder; null if it is unknown. */
  private revision: number | null = null;
  private scanned: Map<string, ScannedEntry> = new Map();

  constructor(
    private readonly name: string,
    private readonly session: string,
    private readonly tools: SandboxTools,
  ) {
    const { isolation } = tools;
    if (isolation === null) throw new Error('This worker has no sandboxes.');
    this.path = isolation.path;
    this.workspace = join(tools.folder, name, 'workspace');
    mkdirSync(this.workspace, { recursive: true });
    this.slot = new Slot(name, tools.folder, {
      isolation,
      inodes: tools.inodes,
      workspace: this.workspace,
    });
    this.slot.reserve(session);
  }

  /** Resolves when it is ready for a command. */
  open(): Promise<void> {
    // Never with network: it would be that of the machine, with all services on the loopback interface.
    return this.slot.open({ network: false, memoryBytes: this.tools.memoryBytes });
  }

  /** Runs a command until all of its processes have ended, and stores its changes. Failures are part of the exit. */
  async run(exec: RunningExec): Promise<SandboxExit> {
    const begun = Date.now();
    const { session, exec: id } = exec.request;
    const { taken, revision, entries, mayStore } = await this.tools.claimExec({
      session,
      exec: id,
      revision: this.revision,
    });
    const duration = () => ({ duration_ms: Date.now() - begun });
    const empty = { timed_out: false, truncated: false, saved: false };
    if (!taken) return { ...empty, reason: 'the command has run before, or was cancelled', ...duration() };
    try {
      if (entries) await this.layOut(revision, entries);
      await this.open();
    } catch (error) {
      warn('a sandbox could not be prepared', error);
      await this.finish(exec, NO_CHANGES);
      return { ...empty, reason: 'the sandbox could not be prepared', ...duration() };
    }
    const { killReason, ...ended } = await this.command(exec);
    const timed_out = exec.stopped === TIMED_OUT;
    const elapsed = duration();
    const stored = await this.storeChanges(exec, killReason, mayStore);
    const reason = exec.stopped ?? (killReason === null ? stored.problem : KILL_REASON_TEXTS[killReason]);
    return { ...ended, timed_out, saved: stored.saved, ...(reason !== undefined && { reason }), ...elapsed };
  }

  /** Ends all that runs in it, and removes its files. */
  async close(): Promise<void> {
    this.broken = true;
    await this.slot.shutdown();
    const base = join(this.tools.folder, this.name);
    await wipeFolder(base);
    rmSync(base, { recursive: true, force: true });
  }

  private async layOut(revision: number, entries: Parameters<typeof layOutWorkspace>[1]): Promise<void> {
    this.revision = null;
    this.scanned = await layOutWorkspace(this.workspace, entries, this.tools.store, this.slot.uid);
    this.revision = revision;
  }

  private async command(exec: RunningExec): Promise<Ended> {
    const { slot } = this;
    exec.begin(slot.folders.step, () => slot.stop(GRACE_MS));
    if (exec.stopped !== null) return { truncated: false, killReason: null };
    // An earlier command may have removed all permissions, and root in a sandbox has no more rights than other users.
    chmodSync(this.workspace, 0o755);
    const timer = setTimeout(() => exec.stop(TIMED_OUT), exec.request.timeoutMs);
    const { path } = this;
    const env = { PATH: path, HOME: slot.cwd, TMPDIR: slot.home, LC_CTYPE: 'C.UTF-8', USER: 'sandbox' };
    const exit = await slot
      .run({ argv: ['/bin/bash', '-c', exec.request.command], env })
      .finally(() => clearTimeout(timer));
    const { truncated } = exec.moveOutputTo(this.tools.ended);
    const { code, signal, killReason } = exit;
    // Its processes may still run for a moment, so the folders must no longer be changed.
    if (killReason === 'lost') this.broken = true;
    else await this.renew().catch(() => (this.broken = true));
    return { ...(code !== null && { code }), ...(signal !== null && { signal }), truncated, killReason };
  }

  /** Clears everything except the workspace, and starts to create the sandbox again if the command changed its environment. */
  private async renew(): Promise<void> {
    await this.slot.close();
    this.slot.reserve(this.session);
  }

  /** Stores all changes of the command, or none. */
  private async storeChanges(
    exec: RunningExec,
    killReason: CommandExit['killReason'],
    mayStore: number,
  ): Promise<{ saved: boolean; problem?: string | undefined }> {
    this.revision = null;
    if (killReason === 'lost') return { ...(await this.finish(exec, NO_CHANGES)), saved: false };
    try {
      const changes = await collectChanges(this.workspace, this.scanned, this.tools.store, mayStore);
      const { saved, revision, problem } = await this.finish(exec, changes);
      if (!saved) return { saved, problem };
      this.scanned = changes.now;
      this.revision = revision;
      return { saved };
    } catch (error) {
      // The command must be finished in any case. If this fails too, its lease expires and frees the session.
      await this.finish(exec, NO_CHANGES).catch((failure: unknown) => warn('a command could not be finished', failure));
      if (error instanceof WorkspaceError) return { saved: false, problem: error.message };
      warn('files of a sandbox could not be stored', error);
      return { saved: false, problem: 'the files of the command could not be saved' };
    }
  }

  private finish(exec: RunningExec, { changed, removed }: Pick<Changes, 'changed' | 'removed'>) {
    const { session, exec: id } = exec.request;
    return this.tools.finishExec({ session, exec: id, changed, removed });
  }
}

/** These failures are reported to the operator only: the messages contain paths of the worker's machine. */
const warn = (problem: string, error: unknown): void => process.emitWarning(`${problem}: ${String(error)}`);
