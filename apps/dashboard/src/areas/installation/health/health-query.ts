import { queryOptions } from '@tanstack/react-query';
import { ConnectionError } from '@millrace/client';
import type { Health } from '@millrace/contracts/kit/health';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { AREA_KEY } from '../parts/area-queries.js';

const PATH = '/health/system';
const REFRESH_INTERVAL_MS = 10_000;

/** The response of the gateway about all services. */
export interface SystemHealth {
  version: string;
  services: Partial<Record<ServiceName, Health>>;
}

export const healthQuery = queryOptions({
  queryKey: [AREA_KEY, 'health'],
  queryFn: ({ signal }) => readHealth(signal),
  refetchInterval: REFRESH_INTERVAL_MS,
});

/** The path is not below that of the API, so the client has no method for it. Its status is 503 if a service does not work. */
async function readHealth(signal: AbortSignal): Promise<SystemHealth> {
  const response = await fetch(PATH, { cache: 'no-store', signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new ConnectionError(PATH, error);
  });
  const body = (await response.json().catch(() => null)) as Partial<SystemHealth> | null;
  if (!body?.services)
    throw new Error(
      `${PATH} has status ${response.status} and no report about the services. Let the proxy before the gateway pass on this path.`,
    );
  return { version: body.version ?? 'unknown', services: body.services };
}
