import { Inject, Injectable, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { EventType } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { EventConsumers } from '../events/event-consumers.js';
import { EVENT } from '../events/event-handler.js';
import { JOB } from '../jobs/job-processor.js';
import { JobWorkers } from '../jobs/job-workers.js';
import { OPERATION } from '../rpc/operation-handler.js';
import { checkWiring, type FoundHandlers } from './check-wiring.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from './messaging-options.js';

type Method = (...args: unknown[]) => Promise<void>;

/** Finds the decorated methods of a service, refuses to start where one is missing or misplaced, and sets them to work. */
@Injectable()
export class HandlerExplorer implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly workers: JobWorkers,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Optional() private readonly listeners?: EventConsumers,
  ) {}

  onApplicationBootstrap(): void {
    const found = this.find();
    checkWiring(this.options.service, found);
    for (const { target, call } of found.listeners) {
      this.listeners?.start(target, (payloads, tx) => call(payloads, tx));
    }
    for (const { target, call } of found.processors) this.workers.start(target, (payload) => call(payload));
  }

  private find(): FoundHandlers {
    const found: FoundHandlers = { handlers: [], listeners: [], processors: [] };
    for (const wrapper of [...this.discovery.getControllers(), ...this.discovery.getProviders()]) {
      const instance = wrapper.instance as Record<string, Method> | null | undefined;
      if (!instance || typeof instance !== 'object') continue;
      for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = instance[key];
        if (typeof method !== 'function') continue;
        const where = `${instance.constructor.name}.${key}`;
        const call = method.bind(instance);
        const read = <T>(symbol: symbol) => Reflect.getMetadata(symbol, method) as T | undefined;
        const operation = read<AnyOperation>(OPERATION);
        const event = read<EventType>(EVENT);
        const job = read<JobType>(JOB);
        if (operation) found.handlers.push({ target: operation, where, call });
        if (event) found.listeners.push({ target: event, where, call });
        if (job) found.processors.push({ target: job, where, call });
      }
    }
    return found;
  }
}
