import { Injectable, type Type } from '@nestjs/common';
import { adminTaskStarted } from '@millrace/contracts/auth/admin/admin-tasks';
import type { EventType } from '@millrace/contracts/kit/event';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { events } from '@millrace/contracts/registry';
import { EventHandler } from '@millrace/messaging/events/event-handler';

/**
 * Handlers that do nothing, for the events that the service consumes according to the registry, except `handled` and those that
 * every service handles.
 */
export const idleEventHandlers = (service: ServiceName, handled: readonly EventType[] = []): Type[] =>
  events
    .filter((event) => event.consumers.includes(service) && ![...handled, adminTaskStarted].includes(event))
    .map(idle);

function idle(event: EventType): Type {
  @Injectable()
  class IdleEventHandler {
    @EventHandler(event)
    async handle(): Promise<void> {}
  }
  return IdleEventHandler;
}
