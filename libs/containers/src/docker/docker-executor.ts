import { type ContainerCommand, type ContainerExecutor, ExecutorUnavailableError } from '../container-executor.js';
import { DockerApi } from './docker-api.js';
import { type DockerEnv, readDockerHost } from './docker-host.js';
import { DockerRun, type DockerRunTools } from './docker-run.js';
import { ImagePuller } from './image-puller.js';
import { removeContainers, WORK_FOLDER_LABEL, WORKER_LABEL } from './remove-containers.js';
import { runTrial } from './run-trial.js';
import { selectApiVersion } from './select-api-version.js';

export interface DockerExecutorOptions {
  env: DockerEnv & { DOCKER_CONFIG?: string | undefined };
  /** Id of this worker. */
  worker: string;
  /** Its folder, which no other running worker has, and which the daemon must see at the same path. */
  folder: string;
  /** Image of steps whose nodes name none. */
  defaultImage: string;
}

/** Runs each command in a container of a Docker daemon on the same machine. */
export class DockerExecutor implements ContainerExecutor {
  readonly kind = 'docker';
  private readonly api: DockerApi;
  private readonly tools: DockerRunTools;
  private readonly runs = new Set<DockerRun>();

  /** @throws ExecutorUnavailableError if the address of the daemon is not valid */
  constructor(private readonly options: DockerExecutorOptions) {
    const { env, worker, folder } = options;
    this.api = new DockerApi(readDockerHost(env));
    this.tools = {
      api: this.api,
      images: new ImagePuller(this.api, env.DOCKER_CONFIG || undefined),
      body: {
        labels: { [WORKER_LABEL]: worker, [WORK_FOLDER_LABEL]: folder },
        worker: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      },
    };
  }

  async prepare(): Promise<void> {
    const { folder, defaultImage } = this.options;
    await selectApiVersion(this.api);
    try {
      await removeContainers(this.api, folder);
      await this.tools.images.ensure(defaultImage);
      await runTrial(folder, defaultImage, this.tools);
    } catch (error) {
      if (error instanceof ExecutorUnavailableError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ExecutorUnavailableError(`Steps cannot run in containers of Docker here: ${reason}`);
    }
  }

  run(command: ContainerCommand): DockerRun {
    const run = new DockerRun(command, this.tools);
    this.runs.add(run);
    const forget = () => this.runs.delete(run);
    run.exit.then(forget, forget);
    return run;
  }

  async close(): Promise<void> {
    const runs = [...this.runs];
    for (const run of runs) run.stop(0);
    await Promise.allSettled(runs.map(({ exit }) => exit));
  }
}
