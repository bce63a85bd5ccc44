import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '@millrace/isolation/limits/limits';
import { drawUserId } from '@millrace/isolation/sandbox/draw-user-id';
import { CONTAINER_PATHS, type ContainerCommand, ExecutorUnavailableError } from '../container-executor.js';
import { buildContainer } from './build-container.js';
import { DockerApiError } from './docker-api.js';
import { DockerRun, type DockerRunTools } from './docker-run.js';
import { removeContainer } from './remove-containers.js';

const MIB = 1024 * 1024;
/** Exit code of the first process of a container if it cannot execute the command. */
const MISSING_PROGRAM = 127;

/**
 * Tests by a trial that the daemon has the folder at the same path, and starts containers. The trial works with any image,
 * because its program exists in none.
 * @throws ExecutorUnavailableError with the reason
 */
export async function runTrial(folder: string, image: string, tools: DockerRunTools): Promise<void> {
  const base = join(folder, 'trial');
  const folders = {
    work: join(base, 'work'),
    input: join(base, 'in'),
    output: join(base, 'work', 'out'),
    step: join(base, 'step'),
  };
  for (const path of [join(folders.work, 'in'), folders.input, folders.output, folders.step])
    mkdirSync(path, { recursive: true });
  const uid = process.getuid?.() === 0 ? drawUserId() : null;
  if (uid !== null) chownSync(folders.work, uid, uid);
  const command: ContainerCommand = {
    ...{ image, folders, uid, network: false, memoryBytes: 64 * MIB, limits: DEFAULT_LIMITS },
    ...{ argv: [`${CONTAINER_PATHS.work}/no-such-program`], env: {} },
  };
  try {
    await checkFolder(command, tools);
    const { code } = await new DockerRun(command, tools).exit;
    const stderr = join(folders.step, 'stderr');
    const printed = existsSync(stderr) ? readFileSync(stderr, 'utf8').trim() : '';
    if (code !== MISSING_PROGRAM)
      throw new ExecutorUnavailableError(`A trial container ended with ${code ?? 'no'} exit code: ${printed}`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Tests that a container of the daemon has a file that this process writes. The container is made, but not started. */
async function checkFolder(command: ContainerCommand, { api, body }: DockerRunTools): Promise<void> {
  const name = randomBytes(16).toString('hex');
  writeFileSync(join(command.folders.work, name), '');
  const { Id } = (await api
    .request('POST', '/containers/create', { body: buildContainer(command, { ...body, volumes: [] }) })
    .catch((error: unknown) => throwIfElsewhere(error, command))) as { Id: string };
  try {
    const query = { path: `${CONTAINER_PATHS.work}/${name}` };
    const response = await api.stream('HEAD', `/containers/${Id}/archive`, { query });
    response.resume();
  } catch (error) {
    throwIfElsewhere(error, command);
  } finally {
    await removeContainer(api, Id);
  }
}

function throwIfElsewhere(error: unknown, { folders }: ContainerCommand): never {
  const isElsewhere =
    error instanceof DockerApiError && (error.status === 404 || error.message.includes('source path does not exist'));
  if (!isElsewhere || error.message.includes('No such image')) throw error;
  throw new ExecutorUnavailableError(
    `The Docker daemon does not have the folder ${folders.work} of this worker. ` +
      'WORK_DIR must have the same path on the machine of the daemon: if the worker is in a container, mount a folder of the machine at its own path.',
  );
}
