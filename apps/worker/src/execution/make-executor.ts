import { type ContainerExecutor } from '@millrace/containers/container-executor';
import { type WorkFolder } from '../core/claim-work-folder.js';
import { type CoreEnv } from '../env.js';
import { type Executor } from './executor-settings.js';

export interface ExecutorOptions {
  workFolder: WorkFolder;
  /** Image of steps whose nodes name none. */
  defaultImage: string;
  env: CoreEnv;
}

/**
 * Makes the executor of containers. Its code is loaded only if it is used.
 * @throws ExecutorUnavailableError if its settings are not valid
 */
export async function makeExecutor(
  kind: Exclude<Executor, 'sandbox'>,
  { workFolder, defaultImage, env }: ExecutorOptions,
): Promise<ContainerExecutor> {
  if (kind === 'docker') {
    const { DockerExecutor } = await import('@millrace/containers/docker/docker-executor');
    const { worker, folder } = workFolder;
    return new DockerExecutor({ env, worker, folder, defaultImage });
  }
  const { openKubernetes } = await import('./open-kubernetes.js');
  return openKubernetes(env, workFolder);
}
