import { describe, expect, it } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { DEFAULT_LIMITS } from '@millrace/isolation/limits/limits';
import { findProblems } from '../../../../deploy/helm/testing/find-problems.js';
import type { KubernetesObject } from '../../../../deploy/helm/testing/kubernetes-object.js';
import { buildJob } from './build-job.js';
import type { KubernetesOptions } from './kubernetes-options.js';

const OPTIONS: KubernetesOptions = {
  config: new KubeConfig(),
  worker: 'worker-1',
  replaces: null,
  helperImage: 'registry.example.org/millrace-worker:1',
  cpu: '250m',
  pod: {
    serviceAccountName: 'steps',
    imagePullSecrets: ['registry'],
    nodeSelector: { pool: 'steps' },
    tolerations: [{ key: 'steps', operator: 'Exists', effect: 'NoSchedule' }],
    runtimeClassName: 'gvisor',
    priorityClassName: 'low',
    hostUsers: false,
    annotations: { note: 'x' },
  },
  workerPod: { name: 'millrace-worker-1', uid: 'b1946ac9-2492-4d23-8e9a-000000000000', namespace: 'steps' },
  startTimeoutMs: 60_000,
  deadlineSeconds: 3_600,
};
const COMMAND = { image: 'tool:1', uid: 12_345, network: false, memoryBytes: 2 ** 31, limits: DEFAULT_LIMITS };
const job = buildJob('millrace-step-1', COMMAND, OPTIONS);
const pod = job.spec?.template.spec;

describe('the Job of a command', () => {
  it('is one that the API accepts, without unknown fields', () => {
    expect(findProblems(job as unknown as KubernetesObject)).toEqual([]);
    const small = buildJob('millrace-step-2', COMMAND, { ...OPTIONS, pod: {}, workerPod: null });
    expect(findProblems(small as unknown as KubernetesObject)).toEqual([]);
  });

  it('runs once, ends by itself and is deleted with the pod of its worker', () => {
    expect(job.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 3_600, ttlSecondsAfterFinished: 300 });
    expect(pod?.restartPolicy).toBe('Never');
    expect(job.metadata?.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Pod', name: 'millrace-worker-1', uid: 'b1946ac9-2492-4d23-8e9a-000000000000' },
    ]);
  });

  it('meets the Pod Security Standard "restricted"', () => {
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 12_345,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
    expect(containers).toHaveLength(3);
    for (const { securityContext } of containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  it('has no token of a service account, and no addresses of services', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  });

  it('limits memory and files, and cannot change inputs and tools', () => {
    const step = pod?.containers.find(({ name }) => name === 'step');
    expect(step?.resources?.limits).toEqual({ memory: String(2 ** 31) });
    expect(step?.volumeMounts?.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toEqual(['tools', 'in']);
    const sizes = Object.fromEntries((pod?.volumes ?? []).map(({ name, emptyDir }) => [name, emptyDir?.sizeLimit]));
    expect(sizes).toMatchObject({ work: String(DEFAULT_LIMITS.diskBytes), tmp: String(DEFAULT_LIMITS.temporaryBytes) });
  });

  it('says whether it may use the network', () => {
    const labelsOf = (network: boolean) =>
      buildJob('x', { ...COMMAND, network }, OPTIONS).spec?.template.metadata?.labels?.['millrace.dev/network'];
    expect([labelsOf(false), labelsOf(true)]).toEqual(['none', 'allowed']);
  });

  it('never is root', () => {
    const { spec } = buildJob('x', { ...COMMAND, uid: null }, OPTIONS).spec?.template ?? {};
    expect(spec?.securityContext?.runAsUser).not.toBe(0);
  });

  it('has a user that exists in the user namespace of its pod', () => {
    const { spec } = buildJob('x', { ...COMMAND, uid: 1_900_000_000 }, OPTIONS).spec?.template ?? {};
    expect(spec?.securityContext?.runAsUser).toBe(1000);
  });
});
