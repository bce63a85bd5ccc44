import { z } from 'zod';
import { authEnv } from '../../../apps/auth/src/env.js';
import { billingEnv } from '../../../apps/billing/src/env.js';
import { datasetsEnv } from '../../../apps/datasets/src/env.js';
import { gatewayEnv } from '../../../apps/gateway/src/env.js';
import { notificationsEnv } from '../../../apps/notifications/src/env.js';
import { runsEnv } from '../../../apps/runs/src/env.js';
import { workerEnv } from '../../../apps/worker/src/env.js';
import { workflowsEnv } from '../../../apps/workflows/src/env.js';
import { DATABASE_SERVICES } from '../../../libs/persistence/src/roles/service-rights.js';
import { storageEnv } from '../../../libs/storage/src/settings/storage-env.js';
import type { Container } from './kubernetes-object.js';

const DATABASE_FILES = Object.fromEntries(
  ['CA', 'CERT', 'KEY'].map((file) => [`DATABASE_${file}_FILE`, z.string().optional()]),
);

/** libs/persistence/src/migrate.ts: the owner of the database, and the login of each service. */
const migrateEnv = z.object({
  DATABASE_URL: z.url(),
  ...DATABASE_FILES,
  ...Object.fromEntries(DATABASE_SERVICES.map((service) => [`DATABASE_URL_${service.toUpperCase()}`, z.url()])),
});

/** scripts/lib/backup/installation.mjs: the owner of the database, the object store, and the keys. */
const backupEnv = storageEnv.extend({
  DATABASE_URL: z.url(),
  ...DATABASE_FILES,
  MILLRACE_SECRET: z.string(),
  SECRETS_KEY_FILE: z.string(),
});

/** The environment that each program reads. */
export const SCHEMAS: Record<string, z.ZodType & { shape: Record<string, unknown> }> = {
  ...{ gateway: gatewayEnv, auth: authEnv, workflows: workflowsEnv, runs: runsEnv, datasets: datasetsEnv },
  ...{ billing: billingEnv, notifications: notificationsEnv, worker: workerEnv },
  migrate: migrateEnv,
  backup: backupEnv,
};
export const SERVICES = Object.keys(SCHEMAS).filter((name) => !['migrate', 'backup'].includes(name));

/** Variables that no schema has, because Node.js or the SDK of OpenTelemetry reads them. */
export const READ_BY_LIBRARIES = ['NODE_EXTRA_CA_CERTS', 'OTEL_EXPORTER_OTLP_HEADERS'];

/** A valid value of each variable that comes from a Secret. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgresql://millrace_auth:password@postgres:5432/millrace',
  ...Object.fromEntries(
    DATABASE_SERVICES.map((service) => [
      `DATABASE_URL_${service.toUpperCase()}`,
      'postgresql://user:password@postgres/m',
    ]),
  ),
  REDIS_URL: 'redis://:password@redis:6379/0',
  MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
  SMTP_URL: 'smtp://user:password@mail:587',
};

/**
 * The environment of a container as its program sees it: without empty variables, which deploy/start-app.mjs removes. Secrets
 * have the stand-ins above, or their names.
 */
export function readEnvironment({ env }: Container, withOptional: boolean): Record<string, string> {
  const variables = env.map(({ name, value, valueFrom }) => {
    if (!valueFrom) return [name, value ?? ''] as const;
    // A field of the pod, such as its name.
    if (!valueFrom.secretKeyRef) return [name, 'field-of-the-pod'] as const;
    const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
    return [name, optional && !withOptional ? '' : (SECRETS[name] ?? `${secret}/${key}`)] as const;
  });
  return Object.fromEntries(variables.filter(([, value]) => value !== ''));
}
