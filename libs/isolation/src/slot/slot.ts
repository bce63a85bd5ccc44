import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ControlGroup } from '../cgroup/control-group.js';
import { type InodePool } from '../folders/inode-pool.js';
import { recycleEmptyLogs } from '../folders/recycle-empty-logs.js';
import { makeFoldersPrivate, chownFolders, recreateFolders, type SlotPaths } from '../folders/slot-folders.js';
import { wipeFolder, type Recycler, type WipeOffThread } from '../folders/wipe-folder.js';
import { findDescendants } from '../limits/find-descendants.js';
import { buildRlimitArguments } from '../limits/limits.js';
import { watchCommand } from '../limits/watch-command.js';
import { type Isolation } from '../prepare/prepare-isolation.js';
import { RunnerProcess, RunnerExitedError } from '../runner/runner-process.js';
import { buildBwrapArguments, SANDBOX_PATHS } from '../sandbox/build-bwrap-arguments.js';
import { drawUserId } from '../sandbox/draw-user-id.js';
import type { KillReason, Command, CommandExit } from './command.js';
import { getSignalName } from './get-signal-name.js';

/** What a command may use. */
export interface SlotRequirements {
  network: boolean;
  memoryBytes: number;
}

interface Sandbox {
  network: boolean;
  ready: Promise<void>;
  /** For whom commands ran in it; null where none did. */
  owner: string | null;
  /** Whether something went wrong in it: then it is not kept. */
  spoiled: boolean;
}

/** Time between TERM and KILL. */
const GRACE_MS = 10_000;
/** What a killed command has to be gone in, before its keeper is killed as well. */
const GIVE_UP_MS = 3_000;
const START_MS = 10_000;
/** How long a used sandbox waits for more from its owner, before those who come next find a fresh one. */
const KEEP_MS = 2_000;
const SIGXFSZ = 25;

/**
 * A place where commands run one at a time, in one working directory that is emptied in between. With isolation they run in
 * a sandbox, which from its first command on is only for the owner named by `reserve`. After `close` it waits a while for
 * that owner to come again; then it is replaced by a fresh one, so that whoever comes next does not wait for a start.
 */
export class Slot {
  /** Folders as this process sees them: never follow a link found in `work`. */
  readonly folders: SlotPaths;
  /** Working directory as the command sees it. */
  readonly cwd: string;
  readonly home: string;
  /** The `step` folder as the command sees it. */
  readonly stepFolder: string;
  /** Who commands are on this machine, and nobody else is; null where they are who this process is. */
  readonly uid: number | null;
  private readonly logs: Recycler;
  private keeper: RunnerProcess;
  private readonly group: ControlGroup | null;
  private started: Promise<void> = Promise.resolve();
  /** The sandbox that runs, or is being started. */
  private sandbox: Sandbox | null = null;
  private owner: string | null = null;
  private replaced: Promise<void> = Promise.resolve();
  private patience: NodeJS.Timeout | undefined;
  /** Whether commands have had `work` and `step` since these were made. */
  private worn = false;
  /** Whether there is nothing in the folders. */
  private empty = false;
  private outputEmpty = false;
  private serial = 0;
  private oomKills = 0;
  private memoryBytes = 0;
  private running = false;
  /** What the group had used when the command began. */
  private usedBefore: number | null = null;

  constructor(
    name: string,
    folder: string,
    private readonly isolation: Isolation,
    private readonly spares: InodePool,
    /** The working directory in place of `work`, kept by whoever gives it: nothing here empties it. */
    private readonly workspace?: string,
    /** Empties folders of very many files, which would hold up this thread. */
    private readonly wipeElsewhere?: WipeOffThread,
  ) {
    const base = join(folder, name);
    const inside = this.isSandboxed ? join(base, 'in') : join(base, 'work/in');
    this.folders = {
      work: join(base, 'work'),
      input: inside,
      output: join(base, 'work/out'),
      step: join(base, 'step'),
    };
    for (const path of [
      join(this.folders.work, 'in'),
      this.folders.input,
      this.folders.output,
      this.folders.step,
      join(base, 'tmp'),
    ]) {
      mkdirSync(path, { recursive: true });
    }
    this.uid = isolation.hasUserPerSlot ? drawUserId() : null;
    chownFolders(this.folders, this.uid, workspace);
    this.logs = recycleEmptyLogs(this.folders.step);
    this.cwd = this.whereToWork();
    this.home = this.isSandboxed ? SANDBOX_PATHS.temporary : join(base, 'tmp');
    if (!this.isSandboxed) makeFoldersPrivate([this.folders.work, this.folders.step, this.home], this.uid);
    this.stepFolder = this.isSandboxed ? SANDBOX_PATHS.step : this.folders.step;
    this.group = ControlGroup.create(name, isolation.limits.processes);
    this.keeper = this.startKeeper();
  }

  get isSandboxed(): boolean {
    return this.isolation.mode === 'sandbox';
  }

  /** Whether CPU time is counted whatever a command does; else what it does not wait for may be missing. */
  get countsAllCpuTime(): boolean {
    return (this.group?.cpuMs() ?? null) !== null;
  }

  /** What the kernel bounds. Without its help memory is sampled. */
  get kernelLimits(): { memory: boolean; processes: boolean } {
    const own = this.uid !== null || (this.isSandboxed && process.getuid?.() !== 0);
    return this.group?.kernelLimits ?? { memory: false, processes: own };
  }

  /** For whom a sandbox is kept here; null where whoever comes is as good. */
  get sandboxOwner(): string | null {
    return this.sandbox?.owner ?? null;
  }

  /** Takes the slot, until `close`, for an owner: what may follow each other in one sandbox has the same. */
  reserve(owner: string): void {
    clearTimeout(this.patience);
    this.owner = owner;
    this.empty = false;
    if (this.sandboxOwner !== null && this.sandboxOwner !== owner) this.replace();
  }

  /** Makes the slot ready for a command with these needs; cheap where the sandbox already is as needed. */
  async open(needs: SlotRequirements): Promise<void> {
    if (this.owner === null) throw new Error('a slot is to be reserved before it is opened');
    this.empty = false;
    await this.replaced;
    if (this.keeper.isOutOfStep) this.abandon();
    if (!this.keeper.isAlive) this.keeper = this.restart();
    this.memoryBytes = needs.memoryBytes;
    this.group?.limitMemory(needs.memoryBytes);
    if (!this.isSandboxed) return this.started;
    if (this.sandbox && !this.suits(this.sandbox, needs)) await this.leave();
    this.sandbox ??= this.enter(needs.network);
    this.sandbox.owner = this.owner;
    await this.sandbox.ready;
    this.worn = true;
  }

  /** Makes a folder below `in` (absolute path, as this process sees it), where nothing of that name is. */
  makeInputFolder(path: string): void {
    this.empty = false;
    this.spares.makeFolder(path);
  }

  /** Writes a file below `in`, where nothing of that name is. */
  writeInputFile(path: string, content: Uint8Array): Promise<void> {
    this.empty = false;
    return this.spares.writeFile(path, content);
  }

  /**
   * Empties the working directory and all temporary folders; `in` and `out` are there and empty afterwards.
   * @param secret whether the files of `in` hold what must not stay on the disk; else they are kept to be used again
   */
  async clear(secret = false): Promise<void> {
    const { work, input, output, step } = this.folders;
    this.empty = false;
    await this.sandbox?.ready.catch(() => undefined);
    const wipe = (folder: string, keep: string[] = [], taker?: Recycler) =>
      wipeFolder(folder, keep, taker, this.wipeElsewhere);
    const kept = await wipe(work, ['in', 'out']);
    for (const name of ['in', 'out']) if (!kept.includes(name)) mkdirSync(join(work, name));
    if (kept.length < 2) chownFolders(this.folders, this.uid);
    if (!this.outputEmpty) await wipe(output);
    await wipe(input, [], secret ? undefined : this.spares);
    await wipe(step, [], this.logs);
    if (!this.isSandboxed) await wipe(this.home);
    this.empty = true;
  }

  /** To be said where nothing but what was taken from it lay in `out`: `clear` then need not look. */
  markOutputsCollected(): void {
    this.outputEmpty = true;
  }

  /** Runs one command to its end, and that of everything it started. What it prints goes to the step folder. */
  async run(command: Command): Promise<CommandExit> {
    const id = String(++this.serial);
    const env = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
    this.running = true;
    this.usedBefore = this.group?.cpuMs() ?? null;
    this.outputEmpty = false;
    const { work, step } = this.folders;
    const own = this.workspace === undefined ? [] : [this.workspace];
    const folders = this.isSandboxed ? [work, step, ...own] : [work, step, this.home, ...own];
    const processes = async () => this.group?.processes() ?? findDescendants(this.keeper.pid);
    const memoryBytes = this.kernelLimits.memory ? null : this.memoryBytes;
    const watched = { folders, limits: this.isolation.limits, memoryBytes, processes };
    const watch = watchCommand(watched, () => this.stop(0));
    try {
      const streams = [join(this.stepFolder, 'stdout'), join(this.stepFolder, 'stderr')];
      const answer = await this.keeper.request(
        'run',
        id,
        this.cwd,
        ...streams,
        String(command.argv.length),
        ...command.argv,
        ...env,
      );
      return this.readExit(id, answer, watch.exceeded());
    } catch (error) {
      if (!(error instanceof RunnerExitedError)) throw error;
      return this.lost(watch.exceeded());
    } finally {
      this.running = false;
      watch.stop();
    }
  }

  /** Ends the running command: TERM to its process group, KILL to all of it after `graceMs`. */
  stop(graceMs = GRACE_MS): void {
    if (!this.running) return;
    this.spoil();
    const serial = this.serial;
    const still = () => this.running && this.serial === serial;
    if (graceMs > 0) this.keeper.send('signal', 'TERM');
    const force = () => {
      if (!still()) return;
      this.keeper.send('signal', 'KILL');
      setTimeout(() => still() && this.abandon(), GIVE_UP_MS).unref();
    };
    if (graceMs > 0) setTimeout(force, graceMs).unref();
    else force();
  }

  /**
   * Empties the folders. A sandbox in which all went well is kept for its owner; another one is ended, and the next begins
   * to start.
   */
  async close(): Promise<void> {
    await this.replaced;
    const keeps = await this.isSound();
    if (!keeps && this.sandboxOwner !== null) await this.leave();
    if (!this.empty) await this.clear();
    this.owner = null;
    if (keeps) this.patience = setTimeout(() => this.replace(), KEEP_MS).unref();
    else if (this.keeper.isAlive) this.prestartSandbox();
  }

  /** Starts a sandbox ahead of need. A failure shows where somebody needs it. */
  prestartSandbox(): void {
    if (!this.isSandboxed || this.sandbox) return;
    this.sandbox = this.enter(false);
    this.sandbox.ready.catch(() => undefined);
  }

  async shutdown(): Promise<void> {
    clearTimeout(this.patience);
    await this.keeper.close();
    this.group?.killAll();
    this.group?.remove();
  }

  private whereToWork(): string {
    if (this.workspace !== undefined) return this.isSandboxed ? SANDBOX_PATHS.workspace : this.workspace;
    return this.isSandboxed ? SANDBOX_PATHS.work : this.folders.work;
  }

  private startKeeper(): RunnerProcess {
    const limits = this.isolation.limits;
    const keeper = this.isSandboxed
      ? new RunnerProcess('supervisor')
      : new RunnerProcess('unsandboxed', buildRlimitArguments(limits, this.uid !== null), this.uid);
    this.group?.add(keeper.pid);
    this.started = keeper.nextResponse().then(() => undefined);
    this.started.catch(() => undefined);
    return keeper;
  }

  private restart(): RunnerProcess {
    this.group?.killAll();
    this.sandbox = null;
    return this.startKeeper();
  }

  private enter(network: boolean): Sandbox {
    return { network, ready: this.startSandbox(network), owner: null, spoiled: false };
  }

  private async startSandbox(network: boolean): Promise<void> {
    await this.started;
    if (this.worn) await recreateFolders(this.folders, this.uid);
    this.worn = false;
    const { etc, devices } = this.isolation;
    const own = this.workspace === undefined ? {} : { workspace: this.workspace };
    const folders = { ...this.folders, ...own, etc, devices };
    const rights = { network, hasOwnUser: this.uid !== null };
    const args = buildBwrapArguments(folders, this.isolation.limits, rights, this.isolation.programs);
    const timer = setTimeout(() => this.abandon(), START_MS);
    const [answer] = await this.keeper
      .request('sandbox', String(this.uid ?? ''), ...args)
      .finally(() => clearTimeout(timer));
    if (answer === 'ready') return;
    this.sandbox = null;
    throw new Error(`the sandbox did not start: ${this.keeper.errorOutput.trim()}`);
  }

  private suits(sandbox: Sandbox, needs: SlotRequirements): boolean {
    return sandbox.network === needs.network && (sandbox.owner === null || sandbox.owner === this.owner);
  }

  private async isSound(): Promise<boolean> {
    const { isAlive, isOutOfStep } = this.keeper;
    if (this.sandboxOwner === null || this.sandbox?.spoiled !== false || !isAlive || isOutOfStep) return false;
    const [kind, sound] = await this.keeper.request('check').catch(() => []);
    return kind === 'checked' && sound === '1';
  }

  private spoil(): void {
    if (this.sandbox) this.sandbox.spoiled = true;
  }

  private replace(): void {
    this.replaced = this.leave().then(() => {
      if (this.keeper.isAlive) this.prestartSandbox();
    });
  }

  private async leave(): Promise<void> {
    const sandbox = this.sandbox;
    if (!this.isSandboxed || !sandbox) return;
    this.sandbox = null;
    try {
      await sandbox.ready;
      await this.keeper.request('quit');
    } catch {
      this.keeper.kill();
      await this.keeper.close();
    }
  }

  private readExit(id: string, answer: string[], killReason: KillReason | null): CommandExit {
    const [kind, of, status, cpuUs, rssKib, clean] = answer;
    if (kind !== 'exit' || of !== id) return this.lost(killReason);
    if (clean !== '1') this.abandon();
    const signal = Number(status) & 0x7f;
    const code = signal === 0 ? Number(status) >> 8 : null;
    if (code !== 0 || killReason !== null) this.spoil();
    return {
      code,
      signal: signal === 0 ? null : getSignalName(signal),
      cpuMs: this.cpuMs(Number(cpuUs) / 1000),
      maxRssBytes: Number(rssKib) * 1024,
      killReason: killReason ?? this.breachOf(code, signal),
    };
  }

  /**
   * The runner adds up what processes have used as it reaps them, and misses what was never waited for (wait(2): where
   * SIGCHLD is ignored). The group misses nothing, and counts a millisecond of the runner's own with it.
   */
  private cpuMs(reaped: number): number {
    const used = this.group?.cpuMs() ?? null;
    return used === null || this.usedBefore === null ? reaped : Math.max(reaped, used - this.usedBefore);
  }

  /** What the kernel enforced; a shell in between turns the signal of its child into exit code 128 + signal. */
  private breachOf(code: number | null, signal: number): KillReason | null {
    if (code === 0) return null;
    if (this.ranOutOfMemory()) return 'memory';
    return signal === SIGXFSZ || code === 128 + SIGXFSZ ? 'fileSize' : null;
  }

  private ranOutOfMemory(): boolean {
    const before = this.oomKills;
    this.oomKills = this.group?.oomKills() ?? 0;
    return this.oomKills > before;
  }

  /** The runner died or spoke out of turn. What it may still say belongs to nobody, so its keeper goes as well. */
  private lost(killReason: KillReason | null): CommandExit {
    this.abandon();
    const memory = this.ranOutOfMemory();
    const cpuMs = this.cpuMs(0);
    return {
      code: null,
      signal: 'SIGKILL',
      cpuMs,
      maxRssBytes: 0,
      killReason: killReason ?? (memory ? 'memory' : 'lost'),
    };
  }

  private abandon(): void {
    this.keeper.kill();
    this.group?.killAll();
  }
}
