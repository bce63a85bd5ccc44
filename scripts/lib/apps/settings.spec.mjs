import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { authEnv } from '../../../apps/auth/src/env.ts';
import { billingEnv } from '../../../apps/billing/src/env.ts';
import { datasetsEnv } from '../../../apps/datasets/src/env.ts';
import { gatewayEnv } from '../../../apps/gateway/src/env.ts';
import { notificationsEnv } from '../../../apps/notifications/src/env.ts';
import { runsEnv } from '../../../apps/runs/src/env.ts';
import { workerEnv } from '../../../apps/worker/src/env.ts';
import { workflowsEnv } from '../../../apps/workflows/src/env.ts';
import { ROOT } from '../layout.mjs';
import { SERVICES } from '../services.mjs';

/** @type {Record<string, { shape: object }>} */
const SCHEMAS = {
  ...{ gateway: gatewayEnv, auth: authEnv, workflows: workflowsEnv, runs: runsEnv, worker: workerEnv },
  ...{ datasets: datasetsEnv, billing: billingEnv, notifications: notificationsEnv },
};

/** Settings that the image or the file of secrets fixes for a container. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'HEALTH_PORT', 'STORAGE_DIR', 'WORK_DIR', 'MAIL_DIR'];
const FROM_SECRETS = ['SECRETS_KEY_FILE', 'DATABASE_URL'];
/** The data folder of a system outside of containers. Containers have the folders above instead. */
const OUTSIDE_CONTAINERS = ['MILLRACE_DATA_DIR'];
/** Fields of the pod of a worker in Kubernetes. */
const IN_PODS = ['WORKER_POD_NAME', 'WORKER_POD_UID', 'WORKER_POD_NAMESPACE'];
/** Settings that users do not set: every way to start a service sets them, or only tests use them. */
const UNDOCUMENTED = ['NODE_ENV', 'NATS_PASSWORD', 'STRIPE_API_BASE'];

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');
/** @type {{ services: Record<string, { environment: Record<string, string> }> }} */
const compose = parse(read('docker-compose.yml'), { merge: true });
const settingsOf = (/** @type {string} */ service) => Object.keys(SCHEMAS[service]?.shape ?? {});
const inCompose = (/** @type {string} */ service) => compose.services[service]?.environment ?? {};

describe('settings', () => {
  it('are checked for every service', () => {
    expect(Object.keys(SCHEMAS).sort()).toEqual([...SERVICES].sort());
  });

  it.each(SERVICES)('of %s all reach its container', (service) => {
    const available = [
      ...Object.keys(inCompose(service)),
      ...FIXED,
      ...FROM_SECRETS,
      ...OUTSIDE_CONTAINERS,
      ...IN_PODS,
    ];
    expect(settingsOf(service).filter((name) => !available.includes(name))).toEqual([]);
  });

  it('of the image are set in its Dockerfile', () => {
    const image = read('deploy/Dockerfile');
    expect(FIXED.filter((name) => !new RegExp(`^ENV .*\\b${name}=`, 'm').test(image))).toEqual([]);
  });

  it.each(SERVICES)(
    'of %s in docker-compose.yml are known to it, and each comes from the variable of the same name',
    (service) => {
      const entries = Object.entries(inCompose(service));
      const isOwn = (/** @type {string} */ name) => settingsOf(service).includes(name);
      expect(entries.filter(([name, value]) => value !== `\${${name}:-}` || !isOwn(name))).toEqual([]);
    },
  );

  it.each(SERVICES)('of %s are all described in docs/reference/settings.md', (service) => {
    const page = read('docs/reference/settings.md');
    const missing = settingsOf(service).filter((name) => !page.includes(`\`${name}\``));
    expect(missing.filter((name) => !UNDOCUMENTED.includes(name))).toEqual([]);
  });
});
