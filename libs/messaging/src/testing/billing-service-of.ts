import type { Type } from '@nestjs/common';
import type { EventType } from '@millrace/contracts/kit/event';
import { idleControllers } from '@millrace/testkit/idle-controllers';
import { idleEventHandlers } from '@millrace/testkit/idle-event-handlers';
import { serviceOf } from '@millrace/testkit/service-of';
import type { StartService } from '@millrace/testkit/start-apps';

/** The parts that a suite provides. */
interface ServiceParts {
  controllers?: Type[];
  providers?: Type[];
  /** Events that these providers handle. */
  consumes?: EventType[];
}

/** Builds a service named `billing` from the classes of a suite. Handlers that it lacks are idle. */
export const billingServiceOf = ({ controllers = [], providers = [], consumes = [] }: ServiceParts): StartService =>
  serviceOf('billing', {
    module: class Tests {},
    controllers: [...controllers, ...idleControllers('billing')],
    providers: [...providers, ...idleEventHandlers('billing', consumes)],
  });
