import { setTimeout as sleep } from 'node:timers/promises';
import { type DockerApi, DockerApiError } from './docker-api.js';

/** Labels of containers: id of their worker, for operators, and its folder, by which the next worker in it finds them. */
export const WORKER_LABEL = 'dev.millrace.worker';
export const WORK_FOLDER_LABEL = 'dev.millrace.work-folder';

const REPEAT_MS = 10_000;

/** Removes the containers that an earlier process with this folder has left. Call it only if no other process has the folder. */
export async function removeContainers(api: DockerApi, folder: string): Promise<void> {
  const filters = JSON.stringify({ label: [`${WORK_FOLDER_LABEL}=${folder}`] });
  const found = (await api.request('GET', '/containers/json', { query: { all: 'true', filters } })) as { Id: string }[];
  await Promise.all(found.map(({ Id }) => removeContainer(api, Id)));
}

/** Removes a container as soon as the daemon can do it again. */
export async function removeEventually(api: DockerApi, id: string): Promise<void> {
  for (;;) {
    await sleep(REPEAT_MS, undefined, { ref: false });
    const isGone = await removeContainer(api, id).then(
      () => true,
      () => false,
    );
    if (isGone) return;
  }
}

/** Removes a container, and kills it before if it runs. Does nothing if it is gone. */
export async function removeContainer(api: DockerApi, id: string): Promise<void> {
  try {
    await api.request('DELETE', `/containers/${id}`, { query: { force: 'true', v: 'true' } });
  } catch (error) {
    // 404: it is gone. 409: somebody else removes it at the moment.
    if (!(error instanceof DockerApiError) || ![404, 409].includes(error.status)) throw error;
  }
}
