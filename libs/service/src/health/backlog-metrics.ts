import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { BacklogReader } from '@millrace/messaging/backlog/backlog-reader';
import { addMetricSource, createGauge, type Sample } from '@millrace/telemetry/metrics/registry';

const outboxWaiting = createGauge('millrace_outbox_waiting', 'Events and jobs that are written and not yet relayed', [
  'service',
]);
const outboxLag = createGauge('millrace_outbox_lag_seconds', 'Age of the oldest entry that is not yet relayed', [
  'service',
]);
const queueJobs = createGauge('millrace_queue_jobs', 'Jobs of a queue by state', ['queue', 'state']);
const queueAge = createGauge('millrace_queue_oldest_seconds', 'Age of the oldest job that waits', ['queue']);
const eventLag = createGauge('millrace_event_lag', 'Events that a consumer has not handled yet', ['consumer']);

/** Measures at each scrape how much work of a service waits. @returns a function that ends it */
export function measureBacklog(service: ServiceName, reader: BacklogReader): () => void {
  return addMetricSource({
    name: `${service} backlog`,
    read: async () => {
      const { outbox, queues, events } = await reader.read();
      return [
        { gauge: outboxWaiting, labels: { service }, value: outbox.waiting },
        { gauge: outboxLag, labels: { service }, value: outbox.oldestSeconds },
        ...Object.entries(queues).flatMap(([queue, { oldestSeconds, ...counts }]): Sample[] => [
          { gauge: queueAge, labels: { queue }, value: oldestSeconds },
          ...Object.entries(counts).map(([state, value]) => ({ gauge: queueJobs, labels: { queue, state }, value })),
        ]),
        ...Object.entries(events).map(([consumer, value]) => ({ gauge: eventLag, labels: { consumer }, value })),
      ];
    },
  });
}
