import type { EventType, Payload } from '@millrace/contracts/kit/event';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { Broker } from '@millrace/messaging/broker/broker';
import { EventStreams } from '@millrace/messaging/events/event-streams';
import { OutboxRelay } from '@millrace/messaging/events/outbox-relay';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { currentCause } from '@millrace/messaging/tracing/cause';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { Database } from '@millrace/persistence/database';

export interface EventSource {
  database: Database;
  broker: Broker;
  /** Emits an event in a transaction of its own. */
  emit<E extends EventType>(event: E, payload: Payload<E>): Promise<void>;
  close(): Promise<void>;
}

/** Emits the events of a service that the suite does not start, through the real outbox and relay. */
export async function eventSource(
  service: ServiceName,
  databaseUrl: string,
  options: MessagingOptions,
): Promise<EventSource> {
  const database = new Database({ url: databaseUrl, service, connections: 3, currentCause });
  const broker = new Broker(options);
  const queues = new JobQueues(options);
  await broker.onModuleInit();
  const relay = new OutboxRelay(database, broker, new EventStreams(broker, options), queues, options);
  await relay.onApplicationBootstrap();
  return {
    database,
    broker,
    emit: (event, payload) => database.transaction(async (tx) => tx.emit(event, payload)),
    close: async () => {
      await relay.beforeApplicationShutdown();
      await queues.onApplicationShutdown();
      await broker.onApplicationShutdown();
      await database.close();
    },
  };
}
