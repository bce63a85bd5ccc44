import type { KubeConfig, V1Toleration } from '@kubernetes/client-node';

/** What a cluster's administrator adds to the pods of steps. */
export interface StepPodSettings {
  serviceAccountName?: string | undefined;
  imagePullSecrets?: readonly string[] | undefined;
  nodeSelector?: Readonly<Record<string, string>> | undefined;
  tolerations?: readonly V1Toleration[] | undefined;
  runtimeClassName?: string | undefined;
  priorityClassName?: string | undefined;
  /** `false` gives each pod a user namespace of its own. */
  hostUsers?: boolean | undefined;
  annotations?: Readonly<Record<string, string>> | undefined;
}

/** The pod that this worker runs in. */
export interface WorkerPod {
  name: string;
  uid: string;
  namespace: string;
}

export interface KubernetesOptions {
  /** How to reach the API server. Its namespace is that of the Jobs. */
  config: KubeConfig;
  /** Id of this worker: the Jobs of its steps have it as a label. */
  worker: string;
  /** The worker that this one replaces and that certainly runs no more; null if there was none. */
  replaces: string | null;
  /** Image of the worker: it has busybox-static, perl and GNU tar, which every pod of a step needs. */
  helperImage: string;
  /** CPU request of a step, as a quantity of Kubernetes. */
  cpu: string;
  pod: StepPodSettings;
  /** If it is in the namespace of the Jobs, its deletion deletes them too. */
  workerPod: WorkerPod | null;
  /** How long a pod may take until its containers run: to find a node, and to pull its images. */
  startTimeoutMs: number;
  /** Kubernetes ends a step after this time, whatever has become of its worker. */
  deadlineSeconds: number;
}
