import type { Type } from '@nestjs/common';
import type { EventType } from '@millrace/contracts/kit/event';
import { idleControllers } from '@millrace/testkit/idle-controllers';
import { idleEventHandlers } from '@millrace/testkit/idle-event-handlers';
import { serviceOf } from '@millrace/testkit/service-of';
import type { Start } from '@millrace/testkit/start-apps';

/** What a suite is about. */
interface Own {
  controllers?: Type[];
  providers?: Type[];
  /** Events that these providers listen to. */
  hears?: EventType[];
}

/** A service under billing's name, made of a suite's own classes; what it must answer and hear besides is idle. */
export const billingOf = ({ controllers = [], providers = [], hears = [] }: Own): Start =>
  serviceOf('billing', {
    module: class Tests {},
    controllers: [...controllers, ...idleControllers('billing')],
    providers: [...providers, ...idleEventHandlers('billing', hears)],
  });
