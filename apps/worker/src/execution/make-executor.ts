import { type ContainerExecutor, ExecutorUnavailableError } from '@millrace/containers/container-executor';
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
  _options: ExecutorOptions,
): Promise<ContainerExecutor> {
  throw new ExecutorUnavailableError(`WORKER_EXECUTOR "${kind}" is not available in this version.`);
}
