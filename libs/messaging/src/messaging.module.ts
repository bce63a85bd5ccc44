import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { Asker } from './asker.js';
import { Broker } from './broker.js';
import { EventListeners } from './event-listeners.js';
import { EventStreams } from './event-streams.js';
import { Explorer } from './explorer.js';
import { Idempotency } from './idempotency.js';
import { JobQueues } from './job-queues.js';
import { JobWorkers } from './job-workers.js';
import { OperationErrorFilter } from './operation-error.filter.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from './options.js';
import { OutboxRelay } from './outbox-relay.js';

/** How a service takes part in messaging. Three shapes, by what the service has of its own. */
@Module({})
export class MessagingModule {
  /** With a database: operations, events through outbox and inbox, jobs. Needs `Database` from PersistenceModule. */
  static forService(options: MessagingOptions): DynamicModule {
    const shared = [
      ...core(options),
      JobQueues,
      EventStreams,
      EventListeners,
      OutboxRelay,
      Idempotency,
      JobWorkers,
      Explorer,
    ];
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        ...shared,
        { provide: APP_INTERCEPTOR, useClass: OperationInterceptor },
        { provide: APP_FILTER, useClass: OperationErrorFilter },
      ],
      exports: [Broker, Asker, JobQueues, MESSAGING_OPTIONS],
    };
  }

  /** Without handlers: the gateway, which asks and hears. */
  static forAsking(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: core(options),
      exports: [Broker, Asker, MESSAGING_OPTIONS],
    };
  }

  /** Without a database: the worker, which does jobs and reports on them. */
  static forWorking(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        ...core(options),
        JobQueues,
        JobWorkers,
        Explorer,
        { provide: APP_FILTER, useClass: OperationErrorFilter },
      ],
      exports: [Broker, Asker, JobQueues, JobWorkers, MESSAGING_OPTIONS],
    };
  }
}

const core = (options: MessagingOptions) => [{ provide: MESSAGING_OPTIONS, useValue: options }, Broker, Asker];
