import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AckPolicy, RetentionPolicy, StorageType, type JsMsg } from '@nats-io/jetstream';
import type { Payload } from '@millrace/contracts/kit/event';
import { signalStreamOf, type Signal } from '@millrace/contracts/kit/signal';
import { Batches } from './batches.js';
import { Broker } from './broker.js';

const NANOSECONDS = 1_000_000;
const CONSUMER = 'receiver';

/** One message of a durable signal; `done` lets the broker forget it. */
export interface Received<S extends Signal> {
  payload: Payload<S>;
  done: () => void;
  /** Bring it again after a pause. */
  again: (pauseMs: number) => void;
}

export interface ReceiveOptions<S extends Signal> {
  /** Messages in a batch at the most. */
  most: number;
  /** Least time between the starts of two batches. */
  paceMs: number;
  isOpen: () => boolean;
  /** Settles each message of the batch; must not throw. */
  take: (batch: Received<S>[]) => Promise<void>;
  onError: (error: Error) => void;
}

/** Durable signals: kept by the broker on a work-queue stream until one receiver has dealt with them. */
@Injectable()
export class SignalStream {
  constructor(private readonly broker: Broker) {}

  async ensure(signal: Signal): Promise<string> {
    const manager = await this.broker.streamManager();
    const name = signalStreamOf(signal);
    await manager.streams.info(name).catch(() =>
      manager.streams.add({
        name,
        subjects: [signal.subject],
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.File,
      }),
    );
    return name;
  }

  /** Sends, and waits until the broker has it. @throws where it does not say so in time; sending again under the same id is safe */
  async send<S extends Signal>(signal: S, payload: Payload<S>, id: string): Promise<void> {
    try {
      await this.broker.streams.publish(signal.subject, JSON.stringify(payload), { msgID: id });
    } catch (error) {
      await this.ensure(signal);
      throw error;
    }
  }

  /**
   * Takes up to `most` waiting messages at a time, for as long as `isOpen`; `take` settles each of them. While one batch
   * is being dealt with the next gathers, so that batches grow with the load.
   */
  async receive<S extends Signal>(signal: S, options: ReceiveOptions<S>): Promise<void> {
    while (options.isOpen()) {
      try {
        const stream = await this.ensure(signal);
        const manager = await this.broker.streamManager();
        await manager.consumers.add(stream, {
          durable_name: CONSUMER,
          ack_policy: AckPolicy.Explicit,
          ack_wait: 30_000 * NANOSECONDS,
          max_deliver: -1,
          max_ack_pending: 10_000,
        });
        await this.pump(signal, stream, options);
      } catch (error) {
        options.onError(error as Error);
        await sleep(300);
      }
    }
  }

  private async pump<S extends Signal>(
    signal: S,
    stream: string,
    { most, paceMs, isOpen, take }: ReceiveOptions<S>,
  ): Promise<void> {
    const consumer = await this.broker.streams.consumers.get(stream, CONSUMER);
    const messages = await consumer.consume({ max_messages: most * 2, abort_on_missing_resource: true });
    const batches = new Batches<Received<S>>(take, { most, paceMs });
    const watch = setInterval(() => {
      if (!isOpen()) messages.stop();
    }, 100);
    try {
      for await (const message of messages) {
        const received = toReceived(signal, message);
        if (received) batches.push(received);
        else message.term('does not fit its contract');
      }
      await batches.settled();
    } finally {
      clearInterval(watch);
    }
  }
}

/** Null for what does not fit the contract: bringing it again would not mend it. */
function toReceived<S extends Signal>(signal: S, message: JsMsg): Received<S> | null {
  const parsed = signal.payload.safeParse(message.json());
  if (!parsed.success) return null;
  return {
    payload: parsed.data as Payload<S>,
    done: () => message.ack(),
    again: (pauseMs) => message.nak(pauseMs),
  };
}
