import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandExit } from '@millrace/isolation/slot/running-command';
import { COMMAND_TRANSITIONS, StateMachine } from '@millrace/isolation/slot/slot-states';
import { type ContainerCommand, type ContainerRun, ImageUnavailableError } from '../container-executor.js';
import { buildContainer, type ContainerBody } from './build-container.js';
import { type DockerApi, DockerApiError } from './docker-api.js';
import type { ImagePuller, LocalImage } from './image-puller.js';
import { OutputFiles } from './output-files.js';
import { describeExecFailure, lostExit, stoppedExit, toExit } from './read-ending.js';
import { removeContainer, removeEventually } from './remove-containers.js';
import { UsageSampler } from './usage-sampler.js';
import { waitForContainer } from './wait-for-container.js';

export interface DockerRunTools {
  api: DockerApi;
  images: ImagePuller;
  /** Labels and user of all containers of this worker. */
  body: Omit<ContainerBody, 'volumes'>;
}

/** How long a killed container may take to end before it counts as lost. */
const KILL_TIMEOUT_MS = 10_000;
/** How long the end of the output may take after the end of the container. */
const OUTPUT_TIMEOUT_MS = 10_000;

/** One command in one container, from the pull of its image to the removal of the container. */
export class DockerRun implements ContainerRun {
  readonly exit: Promise<CommandExit>;
  private readonly states = new StateMachine(COMMAND_TRANSITIONS, 'running');
  private readonly stopped = Promise.withResolvers<void>();
  private readonly lost = Promise.withResolvers<null>();
  /** Id of the container, from its start to its end. */
  private id: string | null = null;
  private sampler: UsageSampler | null = null;

  constructor(
    private readonly command: ContainerCommand,
    private readonly tools: DockerRunTools,
  ) {
    this.exit = this.run().finally(() => this.states.apply('exit'));
    this.exit.catch(() => undefined);
  }

  stop(graceMs: number): void {
    if (this.states.isIn('ended')) return;
    this.stopped.resolve();
    if (graceMs <= 0) return this.kill();
    this.states.apply('terminate');
    this.signal('TERM');
    setTimeout(() => this.kill(), graceMs).unref();
  }

  processes(): readonly number[] {
    return this.sampler?.processes() ?? [];
  }

  private get isStopped(): boolean {
    return !this.states.isIn('running');
  }

  private kill(): void {
    if (this.states.isIn('ended')) return;
    this.states.apply('kill');
    this.signal('KILL');
    setTimeout(() => this.lost.resolve(null), KILL_TIMEOUT_MS).unref();
  }

  /** Does nothing before the container has started, and if it has ended in the meantime. */
  private signal(name: 'TERM' | 'KILL'): void {
    if (this.id === null) return;
    this.tools.api.request('POST', `/containers/${this.id}/kill`, { query: { signal: name } }).catch(() => undefined);
  }

  private async run(): Promise<CommandExit> {
    const { image, folders, limits } = this.command;
    // Other steps may wait for the same pull, so it goes on after a stop.
    const local = await Promise.race([this.tools.images.ensure(image), this.stopped.promise]);
    if (!local || this.isStopped) return stoppedExit();
    const output = await OutputFiles.open(folders.step, limits.fileBytes);
    try {
      return await this.runContainer(output, local);
    } finally {
      await output.close();
    }
  }

  private async runContainer(output: OutputFiles, { volumes }: LocalImage): Promise<CommandExit> {
    const { api } = this.tools;
    const id = await this.create(volumes);
    const query = { stream: 'true', stdout: 'true', stderr: 'true' };
    try {
      const attached = await api.stream('POST', `/containers/${id}/attach`, { query });
      const written = output.write(attached, () => this.stop(0));
      // A failure, such as a full disk, is thrown below.
      written.catch(() => this.stop(0));
      try {
        return this.isStopped ? stoppedExit() : await this.follow(id, output, written);
      } finally {
        attached.destroy();
      }
    } finally {
      this.id = null;
      await removeContainer(api, id).catch((error: unknown) => {
        process.emitWarning(`Container ${id} could not be removed, which is tried again: ${String(error)}`);
        void removeEventually(api, id);
      });
    }
  }

  private async create(volumes: string[]): Promise<string> {
    const { api, body } = this.tools;
    try {
      const request = buildContainer(this.command, { ...body, volumes });
      const created = await api.request('POST', '/containers/create', { body: request });
      return (created as { Id: string }).Id;
    } catch (error) {
      // Somebody can have removed the image in the meantime.
      if (!(error instanceof DockerApiError) || error.status !== 404) throw error;
      throw new ImageUnavailableError(`image ${this.command.image} cannot be used: ${error.message}`);
    }
  }

  private async follow(id: string, output: OutputFiles, written: Promise<void>): Promise<CommandExit> {
    const { api } = this.tools;
    await api.request('POST', `/containers/${id}/start`);
    const sampler = new UsageSampler(api, id);
    [this.id, this.sampler] = [id, sampler];
    sampler.start();
    // A stop that came while the container was being started.
    if (this.isStopped) this.signal(this.states.isIn('killing') ? 'KILL' : 'TERM');
    // The output usually ends a moment before the container, which takes its counters with it.
    void written.then(() => sampler.read()).catch(() => undefined);
    const code = await this.wait(id);
    const usage = sampler.stop();
    if (code === null) return lostExit(usage);
    const timeout = sleep(OUTPUT_TIMEOUT_MS, false, { ref: false });
    const isComplete = await Promise.race([written.then(() => true), timeout]);
    // The connection of the output is lost without a word, and a step must not succeed with a part of it.
    if (!isComplete && !this.isStopped) return lostExit(usage);
    const failure = describeExecFailure(code, output.stderrTail);
    if (failure !== null) await output.addLine(failure);
    const ranOutOfMemory = await this.findOutOfMemory(id);
    return toExit(code, usage, { state: this.states.state, ranOutOfMemory, printedTooMuch: output.exceeded });
  }

  /** @returns the status of the container when it has ended; null if it is lost */
  private async wait(id: string): Promise<number | null> {
    const end = new AbortController();
    const waiting = waitForContainer(this.tools.api, id, end.signal);
    try {
      return await Promise.race([waiting, this.lost.promise]);
    } finally {
      end.abort();
      waiting.catch(() => undefined);
    }
  }

  private async findOutOfMemory(id: string): Promise<boolean> {
    const inspected = await this.tools.api.request('GET', `/containers/${id}/json`);
    return (inspected as { State: { OOMKilled: boolean } }).State.OOMKilled;
  }
}
