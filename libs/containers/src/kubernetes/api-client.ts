import {
  ApiException,
  AuthorizationV1Api,
  BatchV1Api,
  type Configuration,
  CoreV1Api,
  EventsV1Api,
  type KubeConfig,
  ServerConfiguration,
  VersionApi,
  createConfiguration,
} from '@kubernetes/client-node';

/** For one request; a watch has no such limit. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The parts of the API that the executor uses. */
export interface ApiClient {
  jobs: BatchV1Api;
  core: CoreV1Api;
  events: EventsV1Api;
  access: AuthorizationV1Api;
  version: VersionApi;
}

/** @throws Error if the configuration names no cluster */
export function openApi(config: KubeConfig): ApiClient {
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error('the configuration names no cluster');
  const configuration: Configuration = createConfiguration({
    baseServer: new ServerConfiguration(cluster.server, {}),
    authMethods: { default: config },
    promiseMiddleware: [
      {
        pre: (request) => {
          request.setSignal(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
          return Promise.resolve(request);
        },
        post: (response) => Promise.resolve(response),
      },
    ],
  });
  return {
    jobs: new BatchV1Api(configuration),
    core: new CoreV1Api(configuration),
    events: new EventsV1Api(configuration),
    access: new AuthorizationV1Api(configuration),
    version: new VersionApi(configuration),
  };
}

/** Status of a response that the API server refused; null if there was no response. */
export const statusOf = (error: unknown): number | null =>
  error instanceof ApiException ? error.code : ((error as { statusCode?: number }).statusCode ?? null);

/** Whether a request can succeed later: there was no response, or the API server is busy or broken. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === null || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** What the API server says in its response, or why there is none. */
export function describeApiError(error: unknown): string {
  if (error instanceof ApiException) {
    const { message } = readStatus(error.body);
    return message ?? `HTTP status ${error.code}`;
  }
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Whether an object of this name exists. Other conflicts, such as those of a quota, have the same status. */
export const alreadyExists = (error: unknown): boolean =>
  error instanceof ApiException && readStatus(error.body).reason === 'AlreadyExists';

function readStatus(body: unknown): { message?: string; reason?: string } {
  try {
    return (typeof body === 'string' ? JSON.parse(body) : body) as { message?: string; reason?: string };
  } catch {
    return {};
  }
}
