import { beforeAll, describe, expect, it } from '@jest/globals';
import { REQUIRED_ACCESS } from '../../libs/containers/src/kubernetes/check-cluster.js';
import { componentOf, listPods, type Pod } from './testing/kubernetes-object.js';
import { renderChart, VALUES } from './testing/run-helm.js';

const rendered = new Map<string, Pod[]>();
beforeAll(async () => {
  for (const name of VALUES) rendered.set(name, listPods(await renderChart(name)));
});
const podsOf = (name: string) => rendered.get(name) ?? [];
const workerOf = (name: string) => podsOf(name).find((pod) => componentOf(pod) === 'worker');

/** What the Pod Security Standard "restricted" requires of a pod, and what it has. */
const RESTRICTED = {
  pod: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  container: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
};
const isRestricted = ({ spec, container }: Pod): boolean => {
  const has = (actual: Record<string, unknown>, expected: object) =>
    Object.entries(expected).every(([key, value]) => JSON.stringify(actual[key]) === JSON.stringify(value));
  const { hostUsers: _, ...host } = spec as unknown as Record<string, unknown>;
  return (
    has(spec.securityContext, RESTRICTED.pod) &&
    has(container.securityContext, RESTRICTED.container) &&
    !Object.keys(host).some((key) => key.startsWith('host')) &&
    !(spec.volumes ?? []).some((volume) => 'hostPath' in volume)
  );
};

describe.each(VALUES)('pods with the values %s', (name) => {
  it('are restricted, but for workers with sandboxes', () => {
    const open = podsOf(name).filter((pod) => !isRestricted(pod));
    expect([...new Set(open.map(componentOf))]).toEqual(name === 'plain' || name === 'jobs' ? [] : ['worker']);
  });

  it('have no token of a service account unless they make Jobs, and a root file system that they cannot change', () => {
    const withToken = podsOf(name).filter(({ spec }) => spec.automountServiceAccountToken !== false);
    // A worker that makes Jobs calls the API server. Its steps are in other pods.
    expect(withToken.map(componentOf)).toEqual(name === 'jobs' ? ['worker'] : []);
    expect(podsOf(name).filter(({ container }) => !container.securityContext['readOnlyRootFilesystem'])).toEqual([]);
  });

  it('share no volume, and only backups are in a volume that stays', () => {
    const others = podsOf(name).filter((pod) => componentOf(pod) !== 'backup');
    const kinds = others.flatMap(({ spec }) => spec.volumes?.flatMap((volume) => Object.keys(volume)) ?? []);
    expect([...new Set(kinds)].sort()).not.toContain('persistentVolumeClaim');
  });

  it('have more time to end than their process takes', () => {
    for (const { spec, container, owner } of podsOf(name).filter(
      ({ owner: one }) => !/migrate|backup|check/.test(one),
    )) {
      const drain = container.env.find((variable) => variable.name === 'WORKER_DRAIN_SECONDS')?.value ?? '0';
      expect([owner, spec.terminationGracePeriodSeconds ?? 0]).toEqual([owner, expect.any(Number)]);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(drain) + 30);
    }
  });
});

describe('a worker with sandboxes', () => {
  it('is root of a user namespace, with capabilities that hold for the pod alone', () => {
    const { spec, container } = workerOf('minimal') ?? {};
    expect(spec).toMatchObject({ hostUsers: false, securityContext: { runAsUser: 0 } });
    expect(container?.securityContext).toMatchObject({ procMount: 'Unmasked', capabilities: { drop: ['ALL'] } });
    expect(container?.securityContext).not.toHaveProperty('privileged');
  });

  it('is root of the node only if the values say so', () => {
    const { spec, container } = workerOf('gateway-api') ?? {};
    expect(spec?.hostUsers).toBeUndefined();
    expect(spec?.securityContext).toMatchObject({ runAsUser: 0, seLinuxOptions: { type: 'spc_t' } });
    // Kubernetes allows an unmasked /proc in user namespaces only.
    expect(container?.securityContext).not.toHaveProperty('procMount');
  });

  it('can be in a namespace of its own, because Pod Security is a matter of the namespace', () => {
    const namespaces = podsOf('full').map((pod) => [componentOf(pod) === 'worker', pod.namespace]);
    expect([...new Set(namespaces.map(String))].sort()).toEqual(['false,millrace', 'true,millrace-workers']);
  });
});

describe('a worker that runs steps as Jobs', () => {
  it('may do in its namespace what the executor does, and nothing else', async () => {
    const objects = await renderChart('jobs');
    const role = objects.find(({ kind }) => kind === 'Role') as unknown as {
      metadata: { namespace: string };
      rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
    };
    const required = REQUIRED_ACCESS.map(({ group, resource, verbs, ...rest }) => ({
      apiGroups: [group],
      resources: ['subresource' in rest ? `${resource}/${rest.subresource}` : resource],
      verbs: [...verbs],
    }));
    expect(role.rules.slice(0, -1)).toEqual(required);
    expect(role.rules.at(-1)).toEqual({ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['list'] });
    expect(role.metadata.namespace).toBe('millrace-workers');
  });

  it('has no capability and is no root', () => {
    const { spec, container } = workerOf('jobs') ?? {};
    expect(spec).toMatchObject({ securityContext: { runAsNonRoot: true, runAsUser: 1000 } });
    expect(spec?.hostUsers).toBeUndefined();
    expect(container?.securityContext).toMatchObject({ capabilities: { drop: ['ALL'] } });
  });
});
