import type { Isolation } from '../prepare/prepare-isolation.js';
import { buildBwrapArguments } from '../sandbox/build-bwrap-arguments.js';
import type { SlotRunner } from './slot-runner.js';
import { SANDBOX_TRANSITIONS, StateMachine } from './slot-states.js';
import type { SlotStorage } from './slot-storage.js';

const START_TIMEOUT_MS = 10_000;
/** How long a used sandbox waits for its owner before a fresh one replaces it. */
const RETENTION_MS = 2_000;

/**
 * The sandbox of a slot. From its first command on it belongs to one owner. If all of their commands succeed it is retained
 * for a while after the reservation; otherwise a fresh one, started ahead of need, replaces it.
 */
export class SlotSandbox {
  private readonly states = new StateMachine(SANDBOX_TRANSITIONS, 'absent');
  private currentOwner: string | null = null;
  private network = false;
  private started: Promise<void> = Promise.resolve();
  private replaced: Promise<void> = Promise.resolve();
  private retention: NodeJS.Timeout | undefined;

  constructor(
    private readonly runner: SlotRunner,
    private readonly storage: SlotStorage,
    private readonly isolation: Isolation,
    private readonly uid: number | null,
  ) {}

  /** Whose commands have run in it; null if any owner can have it. */
  get owner(): string | null {
    return this.currentOwner;
  }

  /** Stops the retention, and replaces the sandbox if it belongs to another owner. */
  reserve(owner: string): void {
    clearTimeout(this.retention);
    if (this.owner !== null && this.owner !== owner) this.replace();
  }

  /** Resolves when a replacement that was begun is over. */
  async waitForReplacement(): Promise<void> {
    await this.replaced;
  }

  /** Resolves when the current sandbox has started, or failed to. */
  async waitForStart(): Promise<void> {
    await this.started.catch(() => undefined);
  }

  /** Makes a sandbox ready for a command of this owner. @throws Error if it does not start */
  async claim(owner: string, network: boolean): Promise<void> {
    const fits = this.network === network && (this.owner === null || this.owner === owner);
    if (!this.states.isIn('absent') && !fits) await this.end();
    if (this.states.isIn('absent')) this.start(network);
    this.states.apply('claim');
    this.currentOwner = owner;
    await this.started;
    this.storage.markUsed();
  }

  /** Something went wrong in it: it ends with the reservation. */
  taint(): void {
    this.states.apply('taint');
  }

  /** Whether the sandbox is as good as a fresh one for its owner. */
  async canBeRetained(): Promise<boolean> {
    if (!this.states.isIn('claimed', 'retained') || !this.runner.isInOrder) return false;
    const [kind, isUnchanged] = await this.runner.request('check').catch(() => []);
    return kind === 'checked' && isUnchanged === '1';
  }

  /** Keeps the sandbox for its owner for a while. */
  retain(): void {
    this.states.apply('retain');
    this.retention = setTimeout(() => this.replace(), RETENTION_MS).unref();
  }

  /** Starts a sandbox ahead of need. A failure appears when a command needs the sandbox. */
  prestart(): void {
    if (!this.states.isIn('absent')) return;
    this.start(false);
    this.started.catch(() => undefined);
  }

  /** Ends the sandbox, or the runner if the sandbox does not end. */
  async end(): Promise<void> {
    if (this.states.isIn('absent')) return;
    const { started } = this;
    this.forget();
    try {
      await started;
      await this.runner.request('quit');
    } catch {
      await this.runner.killAndWait();
    }
  }

  /** The sandbox has ended with its runner, or has not started. */
  forget(): void {
    this.states.apply('end');
    this.currentOwner = null;
  }

  stopRetention(): void {
    clearTimeout(this.retention);
  }

  private replace(): void {
    this.replaced = this.end().then(() => {
      if (this.runner.isAlive) this.prestart();
    });
  }

  private start(network: boolean): void {
    this.states.apply('start');
    this.network = network;
    this.started = this.launch(network);
  }

  private async launch(network: boolean): Promise<void> {
    await this.runner.ready;
    await this.storage.recreateIfUsed();
    const { etc, devices, limits, programs } = this.isolation;
    const folders = { ...this.storage.sandboxFolders, etc, devices };
    const args = buildBwrapArguments(folders, limits, { network, hasOwnUser: this.uid !== null }, programs);
    const timer = setTimeout(() => this.runner.kill(), START_TIMEOUT_MS);
    const [kind] = await this.runner
      .request('sandbox', String(this.uid ?? ''), ...args)
      .finally(() => clearTimeout(timer));
    if (kind === 'ready') return;
    this.forget();
    throw new Error(`The sandbox did not start: ${this.runner.errorOutput.trim()}`);
  }
}
