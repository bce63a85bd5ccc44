import { ExecutorUnavailableError } from '../container-executor.js';
import { type ApiClient, describeApiError } from './api-client.js';

/** Its API server can close the standard input of a command over a WebSocket (v5.channel.k8s.io). */
const MIN_MINOR_VERSION = 30;

/** What the executor does in its namespace. The Role of the chart allows the same. */
export const REQUIRED_ACCESS = [
  { group: 'batch', resource: 'jobs', verbs: ['create', 'list', 'delete'] },
  { group: '', resource: 'pods', verbs: ['list', 'watch'] },
  // The API server checks `get` for a WebSocket, and newer ones `create` as well.
  { group: '', resource: 'pods', subresource: 'exec', verbs: ['get', 'create'] },
] as const;

/** Tests that the cluster can run steps for this worker. @throws ExecutorUnavailableError */
export async function checkCluster(api: ApiClient, namespace: string): Promise<void> {
  const { major, minor } = await api.version.getCode().catch((error: unknown) => {
    throw new ExecutorUnavailableError(
      `The API server of Kubernetes is not available: ${describeApiError(error)}. Check KUBECONFIG, or the network policies of the worker's pod.`,
    );
  });
  // Some clouds add a plus sign.
  if (Number(major) === 1 && Number.parseInt(minor, 10) < MIN_MINOR_VERSION)
    throw new ExecutorUnavailableError(
      `WORKER_EXECUTOR=kubernetes needs Kubernetes 1.${MIN_MINOR_VERSION} or newer (got ${major}.${minor}).`,
    );
  const missing = await findMissingAccess(api, namespace);
  if (missing.length === 0) return;
  throw new ExecutorUnavailableError(
    `The worker may not ${missing.join(', ')} in the namespace ${namespace}. Give its service account the Role of docs/guides/kubernetes.md, or set WORKER_KUBERNETES_NAMESPACE.`,
  );
}

async function findMissingAccess(api: ApiClient, namespace: string): Promise<string[]> {
  const checks = REQUIRED_ACCESS.flatMap(({ verbs, ...access }) => verbs.map((verb) => ({ verb, ...access })));
  const results = await Promise.all(
    checks.map(async (access) => {
      const body = { spec: { resourceAttributes: { namespace, ...access } } };
      const { status } = await api.access.createSelfSubjectAccessReview({ body }).catch((error: unknown) => {
        throw new ExecutorUnavailableError(`The rights of the worker cannot be checked: ${describeApiError(error)}`);
      });
      return { ...access, allowed: status?.allowed ?? false };
    }),
  );
  return results.filter(({ allowed }) => !allowed).map(describeAccess);
}

const describeAccess = ({ verb, resource, ...rest }: { verb: string; resource: string }): string =>
  `${verb} ${[resource, ...('subresource' in rest ? [String(rest.subresource)] : [])].join('/')}`;
