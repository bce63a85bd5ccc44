import { addMetricSource, createGauge } from '@millrace/telemetry/metrics/registry';
import { VERSION } from '../version.js';
import type { HealthServer } from './health-server.js';

const ready = createGauge('millrace_ready', '1 if the service accepts work and has what it needs, as /health/ready', [
  'service',
]);
const build = createGauge('millrace_build_info', '1, with the version of the process', ['version']);

/** Measures at each scrape whether the services of this process are ready. @returns a function that ends it */
export function measureReadiness(server: HealthServer): () => void {
  return addMetricSource({
    name: 'readiness',
    read: async () => [
      { gauge: build, labels: { version: VERSION }, value: 1 },
      ...(await server.readServices()).map(({ service, isReady }) => ({
        gauge: ready,
        labels: { service },
        value: isReady ? 1 : 0,
      })),
    ],
  });
}
