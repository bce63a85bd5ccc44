import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import type { KillReason } from '@millrace/isolation/slot/running-command';
import { ContainerStartError, ImageUnavailableError } from '../container-executor.js';
import { FILES_CONTAINER, STEP_CONTAINER } from './build-job.js';

/** How far the pod of a step is. */
export type PodState =
  /** Waits for a node, an image or a container; `reason` says for what. */
  | { kind: 'starting'; reason: string }
  /** Both containers run. */
  | { kind: 'running' }
  /** The container of the step has ended by itself, which it never does while all is well. Its logs can still be read. */
  | { kind: 'stepLost'; killReason: KillReason }
  /** The pod can no longer be read. */
  | { kind: 'gone'; killReason: KillReason }
  /** The cluster, or somebody but this worker, has removed the pod; `reason` says how. The step can run elsewhere. */
  | { kind: 'disrupted'; reason: string }
  /** It never starts. */
  | { kind: 'failed'; error: ImageUnavailableError | ContainerStartError };

/** Reasons of the kubelet for which a container does not start, as its status names them (pkg/kubelet/images/types.go). */
const IMAGE_REASONS = new Set([
  ...['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError'],
  ...['RegistryUnavailable', 'SignatureValidationFailed'],
]);
const START_REASONS = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError']);
/** The kubelet ended the container before its process ran, for example because its program has another architecture. */
const NOT_STARTED = new Set(['StartError', 'ContainerCannotRun']);

/** Messages with which the kubelet evicts a pod for its own files, and not because its node lacks space (pkg/kubelet/eviction). */
const DISK_EVICTION = /emptydir|exceeds the total limit|exceeded its local ephemeral storage/i;

/** Reasons of the kubelet for which it ends a pod that has done nothing wrong (pkg/kubelet). */
const DISRUPTIONS = new Set(['Evicted', 'NodeLost', 'NodeShutdown', 'Preempting', 'Shutdown', 'Terminated']);

/** Reads the state of a step's pod. @param pod null if it has been deleted */
export function readPodState(pod: V1Pod | null): PodState {
  if (pod === null) return { kind: 'disrupted', reason: DELETED };
  if (pod.metadata?.deletionTimestamp !== undefined)
    return { kind: 'disrupted', reason: describeDisruption(pod) ?? DELETED };
  const { phase, reason, message } = pod.status ?? {};
  if (reason === 'Evicted' && DISK_EVICTION.test(message ?? '')) return { kind: 'gone', killReason: 'disk' };
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const error = findStartError(pod, statuses);
  if (error !== null) return { kind: 'failed', error };
  const stateOf = (name: string) => statuses.find((status) => status.name === name)?.state;
  const [step, files] = [stateOf(STEP_CONTAINER), stateOf(FILES_CONTAINER)];
  const hasEnded = phase === 'Failed' || phase === 'Succeeded' || files?.terminated !== undefined;
  if (hasEnded || step?.terminated) {
    if (step?.terminated?.reason === 'OOMKilled') return { kind: hasEnded ? 'gone' : 'stepLost', killReason: 'memory' };
    const disruption = describeDisruption(pod);
    if (disruption !== null) return { kind: 'disrupted', reason: disruption };
    return { kind: hasEnded ? 'gone' : 'stepLost', killReason: 'lost' };
  }
  return step?.running && files?.running
    ? { kind: 'running' }
    : { kind: 'starting', reason: describeWait(pod, statuses) };
}

const DELETED = 'it was deleted';

/** Why the cluster has removed a pod, as its condition `DisruptionTarget` or its kubelet says; null if it says nothing. */
function describeDisruption({ status }: V1Pod): string | null {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (condition?.status === 'True') return condition.message ?? condition.reason ?? 'it was evicted';
  return DISRUPTIONS.has(status?.reason ?? '') ? (status?.message ?? status?.reason ?? null) : null;
}

function findStartError(pod: V1Pod, statuses: V1ContainerStatus[]): ImageUnavailableError | ContainerStartError | null {
  for (const { name, state, image } of statuses) {
    const requested = imageOf(pod, name) ?? image;
    const { reason = '', message = reason } = state?.waiting ?? state?.terminated ?? {};
    const text = message === '' ? reason : message;
    if (IMAGE_REASONS.has(reason)) {
      if (name === STEP_CONTAINER) return new ImageUnavailableError(`image ${requested} cannot be pulled: ${text}`);
      return new ContainerStartError(
        `Kubernetes cannot pull image ${requested}, which copies the files of steps: ${text}. Set WORKER_KUBERNETES_HELPER_IMAGE to the image of the worker, and WORKER_KUBERNETES_POD to the pull secrets of its registry.`,
      );
    }
    if (NOT_STARTED.has(reason) && name === STEP_CONTAINER)
      return new ImageUnavailableError(`image ${requested} cannot run on its node: ${text}`);
    if (NOT_STARTED.has(reason) || START_REASONS.has(reason))
      return new ContainerStartError(`Kubernetes cannot start the container ${name} of a step: ${text}`);
  }
  const failedTool = statuses.find(({ name, state }) => name === 'tools' && (state?.terminated?.exitCode ?? 0) !== 0);
  if (!failedTool) return null;
  return new ContainerStartError(
    `Kubernetes cannot run /bin/busybox of image ${imageOf(pod, 'tools') ?? failedTool.image}: ${failedTool.state?.terminated?.message ?? 'its container failed'}. Set WORKER_KUBERNETES_HELPER_IMAGE to the image of the worker.`,
  );
}

function imageOf(pod: V1Pod, container: string): string | undefined {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  return [...initContainers, ...containers].find(({ name }) => name === container)?.image;
}

function describeWait(pod: V1Pod, statuses: V1ContainerStatus[]): string {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False')
    return `no node takes its pod: ${scheduled.message ?? scheduled.reason ?? 'unknown'}`;
  const waiting = statuses.find(({ state }) => state?.waiting);
  if (!waiting) return 'its pod has not started';
  return `its container ${waiting.name} waits: ${waiting.state?.waiting?.message ?? waiting.state?.waiting?.reason ?? 'unknown'}`;
}
