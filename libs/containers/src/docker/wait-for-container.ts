import { BackOff } from '../back-off.js';
import { type DockerApi, DockerApiError } from './docker-api.js';

/** How long the daemon may be away before a container counts as lost. It restarts within seconds. */
const OUTAGE_TIMEOUT_MS = 120_000;
/** A request that ends sooner did not wait. */
const MIN_WAIT_MS = 1_000;

interface ContainerState {
  Running: boolean;
  ExitCode: number;
}

/**
 * Waits until a container has ended, for which one request stays open. If its connection is lost, which takes hours to be
 * noticed on some networks, it looks whether the container has ended in the meantime, and waits again.
 * @returns the exit code; null if the container is lost: the daemon does not know it, did not respond for too long, or was away
 *   when it ended
 * @throws the reason of `signal`
 */
export async function waitForContainer(
  api: DockerApi,
  id: string,
  signal: AbortSignal,
  outageTimeoutMs = OUTAGE_TIMEOUT_MS,
): Promise<number | null> {
  const backOff = new BackOff();
  let respondedAt = performance.now();
  /** Since the last request that waited. A daemon that restarts may end its containers. */
  let wasAway = false;
  for (;;) {
    const startedAt = performance.now();
    try {
      const ended = await api.request('POST', `/containers/${id}/wait`, { timeoutMs: null });
      return (ended as { StatusCode: number }).StatusCode;
    } catch (error) {
      if (isGone(error)) return null;
    }
    if (performance.now() - startedAt > MIN_WAIT_MS) {
      respondedAt = performance.now();
      wasAway = false;
      backOff.reset();
    }
    await backOff.pause(signal);
    try {
      const { Running, ExitCode } = await inspect(api, id);
      if (!Running) return wasAway ? null : ExitCode;
      respondedAt = performance.now();
    } catch (error) {
      wasAway = true;
      if (isGone(error) || performance.now() - respondedAt > outageTimeoutMs) return null;
    }
  }
}

async function inspect(api: DockerApi, id: string): Promise<ContainerState> {
  return ((await api.request('GET', `/containers/${id}/json`)) as { State: ContainerState }).State;
}

const isGone = (error: unknown): boolean => error instanceof DockerApiError && error.status === 404;
