import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BacklogReader } from '../backlog/backlog-reader.js';
import { Broker } from '../broker/broker.js';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { EventRetries } from '../dead-letters/event-retries.js';
import { EventConsumers } from '../events/event-consumers.js';
import { EventStreams } from '../events/event-streams.js';
import { OutboxRelay } from '../events/outbox-relay.js';
import { JobQueues } from '../jobs/job-queues.js';
import { JobWorkers } from '../jobs/job-workers.js';
import { RedisTrust } from '../jobs/redis-trust.js';
import { Idempotency } from '../rpc/idempotency.js';
import { OperationExecutor } from '../rpc/operation-executor.js';
import { OperationServer } from '../rpc/operation-server.js';
import { RpcClient } from '../rpc/rpc-client.js';
import { HandlerExplorer } from './handler-explorer.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from './messaging-options.js';

/** Connects a service to messaging, in three variants. */
@Module({})
export class MessagingModule {
  /** With a database: operations, events through outbox and inbox, jobs. Needs `Database` from PersistenceModule. */
  static forService(options: MessagingOptions): DynamicModule {
    const providers = [
      ...coreProviders(options),
      OperationExecutor,
      OperationServer,
      JobQueues,
      EventStreams,
      DeadLetters,
      EventConsumers,
      EventRetries,
      OutboxRelay,
      Idempotency,
      JobWorkers,
      HandlerExplorer,
      BacklogReader,
    ];
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers,
      exports: [Broker, RpcClient, OperationServer, JobQueues, BacklogReader, MESSAGING_OPTIONS],
    };
  }

  /** Without handlers: the gateway, which calls and subscribes. */
  static forClient(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: coreProviders(options),
      exports: [Broker, RpcClient, MESSAGING_OPTIONS],
    };
  }

  /** Without a database: the worker, which processes jobs and reports on them. */
  static forWorker(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        ...coreProviders(options),
        OperationExecutor,
        OperationServer,
        JobQueues,
        JobWorkers,
        HandlerExplorer,
      ],
      exports: [Broker, RpcClient, OperationServer, JobQueues, JobWorkers, MESSAGING_OPTIONS],
    };
  }
}

const coreProviders = (options: MessagingOptions) => [
  { provide: MESSAGING_OPTIONS, useValue: options },
  RedisTrust,
  Broker,
  RpcClient,
];
