import type { Payload } from '@millrace/contracts/kit/event';
import { cancellations } from '@millrace/contracts/runs/engine';
import type { Broker } from '@millrace/messaging/broker/broker';

/** Dispatches, or some tasks of one dispatch, that workers must end or return because nothing needs them. */
export type Cancellation = Payload<typeof cancellations>;

/** Publishes a cancellation to all workers. Each handles the dispatches that it runs. */
export function publishCancellation(broker: Broker, cancellation: Cancellation): void {
  if (cancellation.dispatches.length > 0) broker.publish(cancellations, cancellation);
}
