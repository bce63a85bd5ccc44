import { Inject, Injectable, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { EventType } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import { EventRetries } from '../dead-letters/event-retries.js';
import { EventConsumers } from '../events/event-consumers.js';
import { EVENT_METADATA } from '../events/event-handler.js';
import { JOB_METADATA } from '../jobs/job-processor.js';
import { JobWorkers } from '../jobs/job-workers.js';
import { OPERATION_METADATA, type Authorize, type HandledOperation } from '../rpc/operation-handler.js';
import { OperationServer } from '../rpc/operation-server.js';
import type { DecoratedMethods } from './check-wiring.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from './messaging-options.js';

type Method = (...args: unknown[]) => Promise<void>;

/**
 * Finds the decorated methods of a service, and activates them. In tests and development, the start fails if one is missing or
 * misplaced.
 */
@Injectable()
export class HandlerExplorer implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly workers: JobWorkers,
    private readonly operations: OperationServer,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Optional() private readonly eventConsumers?: EventConsumers,
    @Optional() private readonly eventRetries?: EventRetries,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const found = this.find();
    if (this.options.checkResponses) await this.checkWiring(found);
    for (const { target: operation, authorize, call } of found.operationHandlers)
      this.operations.register({ operation, authorize, handle: call });
    for (const { target, call } of found.eventHandlers) {
      const handle = (payloads: unknown[], tx: unknown) => call(payloads, tx);
      this.eventConsumers?.start(target, handle);
      this.eventRetries?.register(target, handle);
    }
    for (const { target, call } of found.jobProcessors) this.workers.start(target, (payload) => call(payload));
  }

  /** Loads the contracts of all services, which a service in production does without. */
  private async checkWiring(found: DecoratedMethods): Promise<void> {
    const { checkWiring } = await import('./check-wiring.js');
    checkWiring(this.options.service, found);
  }

  private find(): DecoratedMethods {
    const found: DecoratedMethods = { operationHandlers: [], eventHandlers: [], jobProcessors: [] };
    for (const wrapper of [...this.discovery.getControllers(), ...this.discovery.getProviders()]) {
      const instance = wrapper.instance as Record<string, Method> | null | undefined;
      if (!instance || typeof instance !== 'object') continue;
      for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = instance[key];
        if (typeof method !== 'function') continue;
        const location = `${instance.constructor.name}.${key}`;
        const call = method.bind(instance);
        const read = <T>(symbol: symbol) => Reflect.getMetadata(symbol, method) as T | undefined;
        const handled = read<HandledOperation>(OPERATION_METADATA);
        const event = read<EventType>(EVENT_METADATA);
        const job = read<JobType>(JOB_METADATA);
        if (handled) {
          const { operation, authorize: name } = handled;
          const authorize = name === undefined ? undefined : (instance[name]?.bind(instance) as Authorize);
          found.operationHandlers.push({ target: operation, location, call, authorize });
        }
        if (event) found.eventHandlers.push({ target: event, location, call });
        if (job) found.jobProcessors.push({ target: job, location, call });
      }
    }
    return found;
  }
}
