import type { EventType } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { events, operations } from '@millrace/contracts/registry';

export interface Marked<T> {
  target: T;
  /** `Class.method`, for messages. */
  where: string;
  call: (...args: unknown[]) => Promise<void>;
}

export interface FoundHandlers {
  handlers: Marked<AnyOperation>[];
  listeners: Marked<EventType>[];
  processors: Marked<JobType>[];
}

/**
 * Holds a service's decorated methods against the registry.
 * @throws Error that lists every mistake with its mend
 */
export function checkWiring(service: ServiceName, found: FoundHandlers): void {
  const mistakes = [...checkHandlers(service, found.handlers), ...checkListeners(service, found.listeners)];
  if (mistakes.length > 0) throw new Error(`The ${service} service is not wired up:\n- ${mistakes.join('\n- ')}`);
}

function* checkHandlers(service: ServiceName, handlers: Marked<AnyOperation>[]): Iterable<string> {
  const byName = Map.groupBy(handlers, ({ target }) => target.name);
  for (const operation of operations.filter((declared) => declared.service === service && !declared.perInstance)) {
    const own = byName.get(operation.name) ?? [];
    if (own.length === 0) yield `${operation.name} has no handler: mark a controller's method with @OperationHandler`;
    if (own.length > 1) yield `${operation.name} has ${own.length} handlers (${places(own)}): keep one`;
  }
  for (const { target, where } of handlers) {
    if (!operations.includes(target))
      yield `${where} handles ${target.name}, which registry.ts does not list: add its file`;
    if (target.service !== service) yield `${where} handles ${target.name}: move it to apps/${target.service}`;
  }
}

function* checkListeners(service: ServiceName, listeners: Marked<EventType>[]): Iterable<string> {
  for (const event of events.filter((declared) => declared.consumers.includes(service))) {
    const own = listeners.filter(({ target }) => target === event);
    if (own.length === 0)
      yield `nobody listens to ${event.name}: mark a method with @Listens, or take "${service}" out of its listeners`;
    if (own.length > 1) yield `${event.name} has ${own.length} listeners (${places(own)}): keep one`;
  }
  for (const { target, where } of listeners) {
    if (!target.consumers.includes(service))
      yield `${where} listens to ${target.name}: add "${service}" to its listeners`;
  }
}

const places = (marked: Marked<unknown>[]): string => marked.map(({ where }) => where).join(', ');
