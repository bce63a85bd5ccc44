import type { V1Container, V1Job, V1PodSpec, V1VolumeMount } from '@kubernetes/client-node';
import { CONTAINER_PATHS, type ContainerCommand } from '../container-executor.js';
import type { KubernetesOptions } from './kubernetes-options.js';
import { FOLLOW_LOGS, COLLECT_OUTPUTS, RUN_STEP } from './pod-scripts.js';

/** The image of the step. */
export const STEP_CONTAINER = 'step';
/** The image of the worker, through which inputs, outputs and logs go. */
export const FILES_CONTAINER = 'files';
export const POD_PATHS = { tools: '/millrace/tools', run: '/millrace/run' } as const;

export const WORKER_LABEL = 'millrace.dev/worker';
/** `none` for steps without the network: a NetworkPolicy denies these pods all connections. */
export const NETWORK_LABEL = 'millrace.dev/network';
/** Kubernetes deletes a Job that nobody has deleted this long after its end. */
const TTL_SECONDS = 300;
/** A pod that somebody else deletes gets this long. Its step runs again elsewhere. */
const GRACE_SECONDS = 5;
/** User of steps if that of the slot is root, or does not exist in the pod. */
const FALLBACK_USER = 1000;
/** Of the containers that only copy files. */
const HELPER_RESOURCES = { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '256Mi' } };
/** Space for logs, in addition to that of files. */
const MAX_LOGS = 2;

/**
 * A volume belongs to root, who alone may change its mode. `work` and `in` are therefore folders in their volumes, which the
 * first container makes as the user of the step.
 */
const STEP_FOLDER = 'step';
const MOUNTS: Record<'tools' | 'run' | 'work' | 'in', V1VolumeMount> = {
  tools: { name: 'tools', mountPath: POD_PATHS.tools },
  run: { name: 'run', mountPath: POD_PATHS.run },
  work: { name: 'work', mountPath: CONTAINER_PATHS.work, subPath: STEP_FOLDER },
  in: { name: 'in', mountPath: CONTAINER_PATHS.input, subPath: STEP_FOLDER },
};
/** The whole volumes, in the first container. */
const VOLUMES = ['work', 'in'].map((name) => ({ name, mountPath: `/millrace/${name}` }));
const readOnly = (mount: V1VolumeMount): V1VolumeMount => ({ ...mount, readOnly: true });

const SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** Makes the folders of the step, and puts busybox and the scripts where its container can run them, whatever is in its image. */
const INSTALL = `set -e
mkdir -p ${VOLUMES.map(({ mountPath }) => `${mountPath}/${STEP_FOLDER}`).join(' ')}
cp /bin/busybox ${POD_PATHS.tools}/busybox
printf %s "$1" >${POD_PATHS.tools}/run-step.sh
printf %s "$2" >${POD_PATHS.tools}/follow-logs.pl
printf %s "$3" >${POD_PATHS.tools}/collect-outputs.sh
chmod 555 ${POD_PATHS.tools}/*`;

/** Waits for commands of the worker, and ends at once on TERM. */
const WAIT = `trap 'exit 0' TERM; sleep infinity & wait`;

export type JobCommand = Pick<ContainerCommand, 'image' | 'uid' | 'network' | 'memoryBytes' | 'limits'>;

/** Builds the Job of one command. It contains no argument and no variable of the command, because these can be secret. */
export function buildJob(name: string, command: JobCommand, options: KubernetesOptions): V1Job {
  const labels = {
    'app.kubernetes.io/managed-by': 'millrace',
    'app.kubernetes.io/component': 'step',
    [WORKER_LABEL]: options.worker,
    [NETWORK_LABEL]: command.network ? 'allowed' : 'none',
  };
  const { workerPod } = options;
  const owner = workerPod && { apiVersion: 'v1', kind: 'Pod', name: workerPod.name, uid: workerPod.uid };
  const { annotations } = options.pod;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels, ...(owner && { ownerReferences: [owner] }) },
    spec: {
      backoffLimit: 0,
      completions: 1,
      parallelism: 1,
      activeDeadlineSeconds: options.deadlineSeconds,
      ttlSecondsAfterFinished: TTL_SECONDS,
      template: {
        metadata: { labels, ...(annotations && { annotations: { ...annotations } }) },
        spec: buildPod(command, options),
      },
    },
  };
}

function buildPod(command: JobCommand, options: KubernetesOptions): V1PodSpec {
  const { pod } = options;
  const { limits } = command;
  const user = chooseUser(command.uid, pod.hostUsers);
  const logBytes = MAX_LOGS * limits.fileBytes;
  return {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: GRACE_SECONDS,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(pod.serviceAccountName !== undefined && { serviceAccountName: pod.serviceAccountName }),
    ...(pod.imagePullSecrets && { imagePullSecrets: pod.imagePullSecrets.map((name) => ({ name })) }),
    ...(pod.nodeSelector && { nodeSelector: { ...pod.nodeSelector } }),
    ...(pod.tolerations && { tolerations: [...pod.tolerations] }),
    ...(pod.runtimeClassName !== undefined && { runtimeClassName: pod.runtimeClassName }),
    ...(pod.priorityClassName !== undefined && { priorityClassName: pod.priorityClassName }),
    ...(pod.hostUsers !== undefined && { hostUsers: pod.hostUsers }),
    initContainers: [buildInstaller(options.helperImage)],
    containers: [buildStep(command, options), buildFiles(options.helperImage)],
    volumes: [
      { name: 'tools', emptyDir: { sizeLimit: '16Mi' } },
      { name: 'run', emptyDir: { sizeLimit: String(logBytes) } },
      { name: 'work', emptyDir: { sizeLimit: String(limits.diskBytes) } },
      { name: 'in', emptyDir: {} },
      { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: String(limits.temporaryBytes) } },
    ],
  };
}

/** A user namespace of a pod has 65,536 users. */
function chooseUser(uid: number | null, hostUsers = true): number {
  const user = uid ?? process.getuid?.() ?? 0;
  return user === 0 || (!hostUsers && user >= 65_536) ? FALLBACK_USER : user;
}

function buildInstaller(image: string): V1Container {
  return {
    name: 'tools',
    image,
    command: ['sh', '-c', INSTALL, 'install', RUN_STEP, FOLLOW_LOGS, COLLECT_OUTPUTS],
    resources: HELPER_RESOURCES,
    securityContext: SECURITY,
    volumeMounts: [MOUNTS.tools, ...VOLUMES],
  };
}

function buildFiles(image: string): V1Container {
  return {
    name: FILES_CONTAINER,
    image,
    command: ['sh', '-c', WAIT],
    resources: HELPER_RESOURCES,
    securityContext: SECURITY,
    volumeMounts: [readOnly(MOUNTS.tools), MOUNTS.run, MOUNTS.work, MOUNTS.in],
  };
}

/** Its working directory and its environment are those of the image, until run-step.sh runs the command. */
function buildStep({ image, memoryBytes }: JobCommand, { cpu }: KubernetesOptions): V1Container {
  const memory = String(memoryBytes);
  return {
    name: STEP_CONTAINER,
    image,
    command: [`${POD_PATHS.tools}/busybox`, 'sh', `${POD_PATHS.tools}/run-step.sh`],
    workingDir: CONTAINER_PATHS.work,
    resources: { requests: { cpu, memory }, limits: { memory } },
    securityContext: SECURITY,
    volumeMounts: [
      readOnly(MOUNTS.tools),
      MOUNTS.run,
      MOUNTS.work,
      readOnly(MOUNTS.in),
      { name: 'tmp', mountPath: CONTAINER_PATHS.temporary },
    ],
  };
}
