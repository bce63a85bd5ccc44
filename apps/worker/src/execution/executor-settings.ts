import { z } from 'zod';
import { imageReference } from './image-setting.js';
import { kubernetesSettings } from './kubernetes-settings.js';

export const EXECUTORS = ['sandbox', 'docker', 'kubernetes'] as const;
export type Executor = (typeof EXECUTORS)[number];

/** How the worker runs steps. */
export const executorSettings = {
  /** `sandbox` runs steps on this machine, as WORKER_ISOLATION says; the others run each step in a container. */
  WORKER_EXECUTOR: z.enum(EXECUTORS).default('sandbox'),
  /** Image of steps whose nodes name none. */
  WORKER_IMAGE: imageReference.optional(),
  /** As for the `docker` command: address of the daemon, its certificates, and the folder with credentials of registries. */
  DOCKER_HOST: z.string().optional(),
  DOCKER_TLS_VERIFY: z.string().optional(),
  DOCKER_CERT_PATH: z.string().optional(),
  DOCKER_CONFIG: z.string().optional(),
  ...kubernetesSettings,
};

interface ExecutorSettings {
  WORKER_EXECUTOR: Executor;
  WORKER_IMAGE?: string | undefined;
  WORKER_KUBERNETES_HELPER_IMAGE?: string | undefined;
}

/** Refuses settings that do not fit together. */
export function checkExecutorSettings(env: ExecutorSettings, context: z.RefinementCtx): void {
  const { WORKER_EXECUTOR: executor, WORKER_IMAGE: image, WORKER_KUBERNETES_HELPER_IMAGE: helper } = env;
  const refuse = (setting: keyof ExecutorSettings, text: string) =>
    context.addIssue({
      code: 'custom',
      path: [setting],
      message: `must name ${text}, because WORKER_EXECUTOR is "${executor}"`,
    });
  if (executor !== 'sandbox' && image === undefined)
    refuse('WORKER_IMAGE', 'the image of steps whose nodes name none, such as "debian:12"');
  if (executor === 'kubernetes' && helper === undefined)
    refuse('WORKER_KUBERNETES_HELPER_IMAGE', 'the image of the worker, which copies the files of steps');
}
