import type { KubernetesOptions } from '../kubernetes/kubernetes-options.js';
import type { StubCluster } from './stub-cluster.js';
import { HELPER_IMAGE } from './stub-images.js';

/** Options of an executor for the stub. */
export const testOptions = (cluster: StubCluster, changes: Partial<KubernetesOptions> = {}): KubernetesOptions => ({
  config: cluster.config,
  worker: 'worker-1',
  replaces: null,
  helperImage: HELPER_IMAGE,
  cpu: '250m',
  pod: {},
  workerPod: null,
  startTimeoutMs: 20_000,
  deadlineSeconds: 3_600,
  ...changes,
});
