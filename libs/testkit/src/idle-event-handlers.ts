import { Injectable, type Type } from '@nestjs/common';
import type { EventType } from '@millrace/contracts/kit/event';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { events } from '@millrace/contracts/registry';
import { EventHandler } from '@millrace/messaging/events/event-handler';

/** Listeners that do nothing, for all that a service must hear by the registry beside what the suite hears itself. */
export const idleEventHandlers = (service: ServiceName, besides: readonly EventType[] = []): Type[] =>
  events.filter((event) => event.consumers.includes(service) && !besides.includes(event)).map(idle);

function idle(event: EventType): Type {
  @Injectable()
  class IdleListener {
    @EventHandler(event)
    async hear(): Promise<void> {}
  }
  return IdleListener;
}
