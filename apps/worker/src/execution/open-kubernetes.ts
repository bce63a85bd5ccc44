import { ExecutorUnavailableError } from '@millrace/containers/container-executor';
import { KubernetesExecutor } from '@millrace/containers/kubernetes/kubernetes-executor';
import type { WorkerPod } from '@millrace/containers/kubernetes/kubernetes-options';
import { loadConfig } from '@millrace/containers/kubernetes/load-config';
import type { WorkFolder } from '../core/claim-work-folder.js';
import type { CoreEnv } from '../env.js';

/** Opens the executor of a cluster as the settings say. @throws ExecutorUnavailableError */
export function openKubernetes(env: CoreEnv, { worker, replaces }: WorkFolder): KubernetesExecutor {
  const { WORKER_KUBERNETES_HELPER_IMAGE: helperImage } = env;
  if (helperImage === undefined)
    throw new ExecutorUnavailableError(
      'Set WORKER_KUBERNETES_HELPER_IMAGE to the image of the worker: each pod of a step has a container of it, which copies its files.',
    );
  return new KubernetesExecutor({
    config: loadConfig(env.KUBECONFIG, env.WORKER_KUBERNETES_NAMESPACE),
    worker,
    replaces,
    helperImage,
    cpu: env.WORKER_KUBERNETES_CPU,
    pod: env.WORKER_KUBERNETES_POD,
    workerPod: findWorkerPod(env),
    startTimeoutMs: env.WORKER_KUBERNETES_START_SECONDS * 1000,
    deadlineSeconds: env.WORKER_KUBERNETES_DEADLINE_SECONDS,
  });
}

function findWorkerPod(env: CoreEnv): WorkerPod | null {
  const { WORKER_POD_NAME: name, WORKER_POD_UID: uid, WORKER_POD_NAMESPACE: namespace } = env;
  return name === undefined || uid === undefined || namespace === undefined ? null : { name, uid, namespace };
}
