/** The parts of objects that the tests read. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: unknown;
  data?: Record<string, string>;
}

export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean }; fieldRef?: { fieldPath: string } };
}

export interface Probe {
  httpGet: { path: string; port: string };
}

export interface Container {
  name: string;
  image: string;
  workingDir?: string;
  command: string[];
  args: string[];
  env: EnvironmentVariable[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface PodSpec {
  containers: Container[];
  volumes?: { name: string; [kind: string]: unknown }[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken?: boolean;
  hostUsers?: boolean;
  terminationGracePeriodSeconds?: number;
}

export interface Pod {
  /** Name of the object that makes it. */
  owner: string;
  namespace: string;
  labels: Record<string, string>;
  spec: PodSpec;
  container: Container;
}

interface Template {
  metadata: { labels: Record<string, string> };
  spec: PodSpec;
}

/** The pods that Deployments, Jobs, CronJobs and the test of a release make, one for each object. */
export function listPods(objects: KubernetesObject[]): Pod[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const templates: Record<string, () => Template> = {
      Deployment: () => (spec as { template: Template }).template,
      Job: () => (spec as { template: Template }).template,
      CronJob: () => (spec as { jobTemplate: { spec: { template: Template } } }).jobTemplate.spec.template,
      Pod: () => ({ metadata: { labels: metadata.labels ?? {} }, spec: spec as PodSpec }),
    };
    const template = templates[kind]?.();
    const [container] = template?.spec.containers ?? [];
    if (!template || !container) return [];
    const { labels } = template.metadata;
    return [{ owner: metadata.name, namespace: metadata.namespace ?? '', labels, spec: template.spec, container }];
  });
}

/** The component of a pod: the name of its service, `worker`, `migrate`, `backup` or `test`. */
export const componentOf = ({ labels }: Pod): string => labels['app.kubernetes.io/component'] ?? '';
