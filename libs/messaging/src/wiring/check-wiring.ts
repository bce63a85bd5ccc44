import type { EventType } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { events, operations } from '@millrace/contracts/registry';
import type { Authorize } from '../rpc/operation-handler.js';

export interface DecoratedMethod<T> {
  target: T;
  /** `Class.method`, for messages. */
  location: string;
  call: (...args: unknown[]) => Promise<void>;
}

export interface DecoratedMethods {
  operationHandlers: (DecoratedMethod<AnyOperation> & { authorize?: Authorize | undefined })[];
  eventHandlers: DecoratedMethod<EventType>[];
  jobProcessors: DecoratedMethod<JobType>[];
}

/**
 * Checks the decorated methods of a service against the registry.
 * @throws Error that lists every mistake with its fix
 */
export function checkWiring(service: ServiceName, found: DecoratedMethods): void {
  const mistakes = [
    ...checkOperationHandlers(service, found.operationHandlers),
    ...checkEventHandlers(service, found.eventHandlers),
  ];
  if (mistakes.length > 0) throw new Error(`The ${service} service is not wired up:\n- ${mistakes.join('\n- ')}`);
}

function* checkOperationHandlers(
  service: ServiceName,
  operationHandlers: readonly DecoratedMethod<AnyOperation>[],
): Iterable<string> {
  const byName = Map.groupBy(operationHandlers, ({ target }) => target.name);
  for (const operation of operations.filter((candidate) => candidate.service === service && !candidate.perInstance)) {
    const matching = byName.get(operation.name) ?? [];
    if (matching.length === 0)
      yield `${operation.name} has no handler: mark a controller's method with @OperationHandler`;
    if (matching.length > 1)
      yield `${operation.name} has ${matching.length} handlers (${locationsOf(matching)}): keep one`;
  }
  for (const { target, location } of operationHandlers) {
    if (!operations.includes(target))
      yield `${location} handles ${target.name}, which registry.ts does not list: add its file`;
    if (target.service !== service) yield `${location} handles ${target.name}: move it to apps/${target.service}`;
  }
}

function* checkEventHandlers(service: ServiceName, eventHandlers: DecoratedMethod<EventType>[]): Iterable<string> {
  for (const event of events.filter((candidate) => candidate.consumers.includes(service))) {
    const matching = eventHandlers.filter(({ target }) => target === event);
    if (matching.length === 0)
      yield `${event.name} has no handler: mark a method with @EventHandler, or remove "${service}" from its consumers`;
    if (matching.length > 1) yield `${event.name} has ${matching.length} handlers (${locationsOf(matching)}): keep one`;
  }
  for (const { target, location } of eventHandlers) {
    if (!target.consumers.includes(service))
      yield `${location} handles ${target.name}: add "${service}" to its consumers`;
  }
}

const locationsOf = (methods: DecoratedMethod<unknown>[]): string => methods.map(({ location }) => location).join(', ');
