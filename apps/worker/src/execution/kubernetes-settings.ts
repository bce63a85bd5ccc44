import { z } from 'zod';
import { imageReference } from './image-setting.js';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const name = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'must be a name of Kubernetes');
const seconds = z.coerce.number().int().min(1).max(31_536_000);

const toleration = z.strictObject({
  key: z.string().optional(),
  operator: z.enum(['Exists', 'Equal']).optional(),
  value: z.string().optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
  tolerationSeconds: z.number().int().optional(),
});

/** What the pods of all steps have, with the names that a pod has for it. */
export const stepPodSettings = z.strictObject({
  serviceAccountName: name.optional(),
  imagePullSecrets: z.array(name).optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  tolerations: z
    .array(toleration)
    .transform((list) => list.map((one) => omitMissing(one)))
    .optional(),
  runtimeClassName: name.optional(),
  priorityClassName: name.optional(),
  hostUsers: z.boolean().optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

/** Keys without a value must not reach the API as keys. */
const omitMissing = (one: z.output<typeof toleration>) =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));

const podSetting = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON such as {"nodeSelector":{"pool":"steps"}}' });
      return z.NEVER;
    }
  })
  .pipe(stepPodSettings)
  .default({});

/** How the executor `kubernetes` runs steps. */
export const kubernetesSettings = {
  /** Path of a file; without it, the worker uses the service account of its pod. */
  KUBECONFIG: z.string().min(1).optional(),
  /** Namespace of the Jobs; that of the worker's pod, or of KUBECONFIG, by default. */
  WORKER_KUBERNETES_NAMESPACE: z.string().regex(DNS_LABEL, 'must be the name of a namespace').optional(),
  /** The image of the worker itself, which copies the files of steps. */
  WORKER_KUBERNETES_HELPER_IMAGE: imageReference.optional(),
  /** CPU request of a step. */
  WORKER_KUBERNETES_CPU: z
    .string()
    .regex(/^\d+(\.\d+)?m?$/, 'must be a quantity such as "250m" or "2"')
    .default('250m'),
  /** JSON with `stepPodSettings`. */
  WORKER_KUBERNETES_POD: podSetting,
  /** How long a pod may wait for a node and for its images. */
  WORKER_KUBERNETES_START_SECONDS: seconds.default(600),
  /** Kubernetes ends every step after this time, even if its worker is gone. */
  WORKER_KUBERNETES_DEADLINE_SECONDS: seconds.default(604_800),
  /** The pod of the worker, from the downward API: its deletion then deletes the Jobs of its steps. */
  WORKER_POD_NAME: name.optional(),
  WORKER_POD_UID: z.string().min(1).optional(),
  WORKER_POD_NAMESPACE: z.string().regex(DNS_LABEL).optional(),
};
