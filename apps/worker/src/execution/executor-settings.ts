import { z } from 'zod';

export const EXECUTORS = ['sandbox', 'docker', 'kubernetes'] as const;
export type Executor = (typeof EXECUTORS)[number];

/** An image reference. The registry or the daemon decides whether it exists. */
const imageReference = z
  .string()
  .trim()
  .regex(/^[^\s@]+(@[a-z0-9+._-]+:[0-9a-f]+)?$/, 'must be an image reference such as "debian:12"');

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
};

/** Refuses settings that do not fit together. */
export function checkExecutorSettings(
  env: { WORKER_EXECUTOR: Executor; WORKER_IMAGE?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (env.WORKER_EXECUTOR === 'sandbox' || env.WORKER_IMAGE !== undefined) return;
  const message = `must name the image of steps whose nodes name none, such as "debian:12", because WORKER_EXECUTOR is "${env.WORKER_EXECUTOR}"`;
  context.addIssue({ code: 'custom', path: ['WORKER_IMAGE'], message });
}
