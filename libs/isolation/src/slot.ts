import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bwrapArguments, SANDBOX } from './bwrap-arguments.js';
import { ControlGroup } from './control-group.js';
import { Keeper, KeeperGone } from './keeper.js';
import { rlimitArguments } from './limits.js';
import { measureFolder } from './measure-folder.js';
import { type Isolation } from './prepare-isolation.js';
import { signalName } from './signal-name.js';
import { SpareFolders } from './spare-folders.js';
import { wipeFolder } from './wipe-folder.js';

/** What a group of commands may use; they share one sandbox. */
export interface SlotNeeds {
  network: boolean;
  memoryBytes: number;
}

export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Why a command was ended by us or the kernel, where it did not end by itself. */
export type Breach = 'disk' | 'files' | 'fileSize' | 'memory' | 'lost';

export interface CommandExit {
  code: number | null;
  signal: string | null;
  cpuMs: number;
  maxRssBytes: number;
  breach: Breach | null;
}

/** Time between TERM and KILL. */
const GRACE_MS = 10_000;
/** What a killed command has to be gone in, before its keeper is killed as well. */
const GIVE_UP_MS = 3_000;
const START_MS = 10_000;
const SAMPLE_MS = 500;
const SIGXFSZ = 25;
const EMPTY_LOGS = ['/stdout', '/stderr'];

/**
 * A place where commands run one at a time, in one working directory that is emptied in between. With isolation, commands
 * between `open` and `close` share a sandbox that nothing else ever sees; `close` starts the next one at once, so that whoever
 * comes next does not wait for it.
 */
export class Slot {
  /** Folders as this process sees them: never follow a link found in `work`. */
  readonly host: { work: string; input: string; output: string; step: string };
  /** Working directory as the command sees it. */
  readonly cwd: string;
  readonly home: string;
  /** The `step` folder as the command sees it. */
  readonly desk: string;
  private readonly spares: SpareFolders;
  private keeper: Keeper;
  private readonly group: ControlGroup | null;
  private started: Promise<void> = Promise.resolve();
  /** The sandbox that runs, or is being started. */
  private sandbox: { network: boolean; ready: Promise<void> } | null = null;
  private serial = 0;
  private oomKills = 0;
  private running = false;

  constructor(
    name: string,
    folder: string,
    private readonly isolation: Isolation,
  ) {
    const base = join(folder, name);
    const inside = this.isolated ? join(base, 'in') : join(base, 'work/in');
    this.host = { work: join(base, 'work'), input: inside, output: join(base, 'work/out'), step: join(base, 'step') };
    for (const path of [
      join(this.host.work, 'in'),
      this.host.input,
      this.host.output,
      this.host.step,
      join(base, 'tmp'),
    ]) {
      mkdirSync(path, { recursive: true });
    }
    this.spares = new SpareFolders(join(base, 'spare'));
    this.cwd = this.isolated ? SANDBOX.work : this.host.work;
    this.home = this.isolated ? SANDBOX.temporary : join(base, 'tmp');
    this.desk = this.isolated ? SANDBOX.step : this.host.step;
    this.group = ControlGroup.create(name, isolation.limits.processes);
    this.keeper = this.startKeeper();
  }

  get isolated(): boolean {
    return this.isolation.mode === 'sandbox';
  }

  get bounds(): { memory: boolean; processes: boolean } {
    return this.group?.bounds ?? { memory: false, processes: this.isolated && process.getuid?.() !== 0 };
  }

  /** Makes the slot ready for commands with these needs; cheap where the sandbox already is as needed. */
  async open(needs: SlotNeeds): Promise<void> {
    if (this.keeper.strayed) this.abandon();
    if (!this.keeper.alive) this.keeper = this.restart();
    this.group?.limitMemory(needs.memoryBytes);
    if (!this.isolated) return this.started;
    if (this.sandbox && this.sandbox.network !== needs.network) await this.leave();
    this.sandbox ??= { network: needs.network, ready: this.enter(needs.network) };
    await this.sandbox.ready;
  }

  /** Makes a folder below `in` (absolute path, as this process sees it). */
  makeInputFolder(path: string): void {
    this.spares.make(path);
  }

  /** Empties the working directory and all temporary folders; `in` and `out` are there and empty afterwards. */
  async clear(): Promise<void> {
    await wipeFolder(this.host.work, ['in', 'out']);
    if (!existsSync(this.host.output)) mkdirSync(this.host.output);
    await wipeFolder(this.host.output);
    this.spares.takeBack(this.host.input);
    await wipeFolder(this.host.input);
    await wipeFolder(this.host.step, [], isEmptyFile);
    if (!this.isolated) await wipeFolder(this.home);
  }

  /** Runs one command to its end, and that of everything it started. What it prints goes to the step folder. */
  async run(command: Command): Promise<CommandExit> {
    const id = String(++this.serial);
    const env = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
    this.running = true;
    const watch = this.watchDisk();
    try {
      const streams = [join(this.desk, 'stdout'), join(this.desk, 'stderr')];
      const answer = await this.keeper.ask(
        'run',
        id,
        this.cwd,
        ...streams,
        String(command.argv.length),
        ...command.argv,
        ...env,
      );
      return this.readExit(id, answer, watch.breach());
    } catch (error) {
      if (!(error instanceof KeeperGone)) throw error;
      return this.lost(watch.breach());
    } finally {
      this.running = false;
      watch.end();
    }
  }

  /** Ends the running command: TERM to its process group, KILL to all of it after `graceMs`. */
  stop(graceMs = GRACE_MS): void {
    if (!this.running) return;
    const serial = this.serial;
    const still = () => this.running && this.serial === serial;
    if (graceMs > 0) this.keeper.tell('signal', 'TERM');
    const force = () => {
      if (!still()) return;
      this.keeper.tell('signal', 'KILL');
      setTimeout(() => still() && this.abandon(), GIVE_UP_MS).unref();
    };
    if (graceMs > 0) setTimeout(force, graceMs).unref();
    else force();
  }

  /** Ends the sandbox, empties the folders, and begins to start the next sandbox. */
  async close(): Promise<void> {
    if (this.sandbox) await this.leave();
    await this.clear();
    if (this.isolated && this.keeper.alive) this.warm();
  }

  /** Starts a sandbox ahead of need. A failure shows where somebody needs it. */
  warm(): void {
    if (!this.isolated || this.sandbox) return;
    const ready = this.enter(false);
    ready.catch(() => undefined);
    this.sandbox = { network: false, ready };
  }

  async shutdown(): Promise<void> {
    await this.keeper.close();
    this.group?.killAll();
    this.group?.remove();
  }

  private startKeeper(): Keeper {
    const limits = this.isolation.limits;
    const keeper = this.isolated ? new Keeper('keeper') : new Keeper('plain', rlimitArguments(limits, false));
    this.group?.join(keeper.pid);
    this.started = keeper.answer().then(() => undefined);
    this.started.catch(() => undefined);
    return keeper;
  }

  private restart(): Keeper {
    this.group?.killAll();
    this.sandbox = null;
    return this.startKeeper();
  }

  private async enter(network: boolean): Promise<void> {
    await this.started;
    const folders = { ...this.host, etc: this.isolation.etc };
    const args = bwrapArguments(folders, this.isolation.limits, network, this.isolation.programs);
    const timer = setTimeout(() => this.abandon(), START_MS);
    const [answer] = await this.keeper.ask('sandbox', ...args).finally(() => clearTimeout(timer));
    if (answer === 'ready') return;
    this.sandbox = null;
    throw new Error(`the sandbox did not start: ${this.keeper.complaint.trim()}`);
  }

  private async leave(): Promise<void> {
    const sandbox = this.sandbox;
    if (!this.isolated || !sandbox) return;
    this.sandbox = null;
    try {
      await sandbox.ready;
      await this.keeper.ask('leave');
    } catch {
      this.keeper.kill();
      await this.keeper.close();
    }
  }

  private readExit(id: string, answer: string[], breach: Breach | null): CommandExit {
    const [kind, of, status, cpuUs, rssKib] = answer;
    if (kind !== 'exit' || of !== id) return this.lost(breach);
    const signal = Number(status) & 0x7f;
    const code = signal === 0 ? Number(status) >> 8 : null;
    return {
      code,
      signal: signal === 0 ? null : signalName(signal),
      cpuMs: Number(cpuUs) / 1000,
      maxRssBytes: Number(rssKib) * 1024,
      breach: breach ?? this.breachOf(code, signal),
    };
  }

  /** What the kernel enforced; a shell in between turns the signal of its child into exit code 128 + signal. */
  private breachOf(code: number | null, signal: number): Breach | null {
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
  private lost(breach: Breach | null): CommandExit {
    this.abandon();
    const memory = this.ranOutOfMemory();
    return { code: null, signal: 'SIGKILL', cpuMs: 0, maxRssBytes: 0, breach: breach ?? (memory ? 'memory' : 'lost') };
  }

  private abandon(): void {
    this.keeper.kill();
    this.group?.killAll();
  }

  /** Measures the working directory while a command runs, and ends the command where it passes the bounds. */
  private watchDisk(): { breach(): Breach | null; end(): void } {
    const most = { bytes: this.isolation.limits.diskBytes, entries: this.isolation.limits.diskEntries };
    let breach: Breach | null = null;
    const folders = this.isolated ? [this.host.work, this.host.step] : [this.host.work, this.host.step, this.home];
    let over = false;
    const sample = async () => {
      const begun = Date.now();
      const used = await Promise.all(folders.map((path) => measureFolder(path, most)));
      if (over) return;
      if (used.reduce((sum, one) => sum + one.bytes, 0) > most.bytes) breach = 'disk';
      else if (used.reduce((sum, one) => sum + one.entries, 0) > most.entries) breach = 'files';
      if (breach !== null) return this.stop(0);
      timer = setTimeout(() => void sample(), Math.max(SAMPLE_MS, 10 * (Date.now() - begun)));
    };
    let timer = setTimeout(() => void sample(), SAMPLE_MS);
    const end = () => {
      over = true;
      clearTimeout(timer);
    };
    return { breach: () => breach, end };
  }
}

/** Logs of commands that print nothing are the rule; such a file is as good as a new one. */
function isEmptyFile(path: Buffer): boolean {
  const { size, nlink } = lstatSync(path);
  return size === 0 && nlink === 1 && EMPTY_LOGS.some((name) => path.includes(name));
}
