import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ApiError } from '@millrace/contracts/kit/api-error';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { GATEWAY_ENV, type GatewayEnv } from '../env.js';
import { rateLimitedError, RateLimiter } from '../limits/rate-limiter.js';
import type { ClientFrame } from './client-frames.js';

/** Requests of one worker without a response. A slot makes its calls one after the other, and a worker few others. */
const MAX_IN_FLIGHT = 512;
/** No call of a worker waits longer, so a request without a response after this time no longer counts. */
const MAX_FLIGHT_MS = 60_000;
/** A worker opens three links. */
const MAX_LINKS = 12;

const MINUTE_MS = 60_000;
/** What costs the gateway itself something. A healthy worker stays far below. */
const MAX_PER_MINUTE = {
  /** Attempts to open a link: each costs a check of the key. While NATS is away, a worker makes about 700. */
  links: 1_200,
  /** CONNECT, SUB, UNSUB, PING and PONG. */
  protocol: 6_000,
  /** Responses of the worker. */
  responses: 60_000,
  /** Requests above the limits of the worker, which waits before it repeats one. */
  rejections: 60_000,
  /** Messages that the worker may not send. */
  violations: 600,
};
type Counted = keyof typeof MAX_PER_MINUTE;

/** What one worker does at this gateway, over all of its links. */
interface WorkerUse {
  /** Time of each request without a response by its reply subject, oldest first. */
  startedAt: Map<string, number>;
  links: number;
  minute: { endsAt: number; counts: Record<Counted, number>; isExceeded: boolean };
}

/**
 * Limits what a joined worker sends, because its credential may be stolen: requests per minute over all gateways
 * (WORKER_RATE_LIMIT_PER_MINUTE), requests in flight at this gateway, and messages that do not reach a service. It logs each
 * kind of excess once a minute.
 */
@Injectable()
export class WorkerLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(WorkerLimits.name);
  private readonly limiter: RateLimiter;
  private readonly workers = new Map<string, WorkerUse>();

  constructor(
    @Inject(GATEWAY_ENV) { WORKER_RATE_LIMIT_PER_MINUTE }: GatewayEnv,
    @Inject(MESSAGING_OPTIONS) messaging: MessagingOptions,
  ) {
    this.limiter = new RateLimiter(WORKER_RATE_LIMIT_PER_MINUTE, messaging);
  }

  onApplicationBootstrap(): Promise<void> {
    return this.limiter.connect();
  }

  onApplicationShutdown(): void {
    this.limiter.close();
  }

  /** Whether a worker may open no link in this minute. Check it before what costs more, such as the key. */
  isExceeded(worker: string): boolean {
    const use = this.workers.get(worker);
    return use !== undefined && isExceeded(use);
  }

  /** Counts an attempt to open a link. @returns null if the worker may open none now */
  open(worker: string): LinkLimits | null {
    this.forgetIdle();
    const use = this.workers.get(worker) ?? { startedAt: new Map(), links: 0, minute: newMinute() };
    this.workers.set(worker, use);
    this.count(worker, use, 'links');
    if (use.links >= MAX_LINKS || isExceeded(use)) return null;
    use.links += 1;
    return {
      admit: (frame) => this.admit(worker, use, frame),
      complete: (reply) => void use.startedAt.delete(reply),
      count: (counted) => void this.count(worker, use, counted),
      countViolation: (violation) => {
        if (this.count(worker, use, 'violations') === 1)
          this.logger.warn({ message: 'Message of a joined worker dropped', worker, violation });
      },
      get isExceeded() {
        return isExceeded(use);
      },
      close: () => {
        use.links -= 1;
        // The responses went to the links that ended.
        if (use.links === 0) use.startedAt.clear();
      },
    };
  }

  /** A worker without links is kept until the end of its minute, or it could exceed its limits with each new link. */
  private forgetIdle(): void {
    const now = performance.now();
    for (const [worker, { links, minute }] of this.workers)
      if (links === 0 && minute.endsAt <= now) this.workers.delete(worker);
  }

  /** @returns how often it happened in this minute */
  private count(worker: string, use: WorkerUse, counted: Counted): number {
    if (use.minute.endsAt <= performance.now()) use.minute = newMinute();
    const { counts } = use.minute;
    counts[counted] += 1;
    if (counts[counted] === MAX_PER_MINUTE[counted] + 1) {
      use.minute.isExceeded = true;
      const message =
        'Joined worker exceeds a limit of its connections, which end for up to a minute; revoke it if you do not know why';
      this.logger.warn({ message, worker, limit: counted, counts: { ...counts } });
    }
    return counts[counted];
  }

  private admit(
    worker: string,
    use: WorkerUse,
    { subject, reply }: PublishFrame,
  ): ApiError | null | Promise<ApiError | null> {
    if (reply !== null) {
      // Requests with one reply subject would count as one.
      if (isFull(use) || isInFlight(use, reply)) return this.reject(worker, use, 1);
      // Before the token is there, because other links of the worker send requests meanwhile.
      use.startedAt.delete(reply);
      use.startedAt.set(reply, performance.now());
    }
    // Each signal has a bucket of its own: a worker whose requests are limited still sends heartbeats.
    const taken = this.limiter.take(reply === null ? `worker-signals:${subject}:${worker}` : `worker:${worker}`);
    const apply = (admission: Awaited<typeof taken>) => {
      if (!admission || admission.isAdmitted) return null;
      if (reply !== null) use.startedAt.delete(reply);
      return this.reject(worker, use, admission.retrySeconds);
    };
    return taken instanceof Promise ? taken.then(apply) : apply(taken);
  }

  private reject(worker: string, use: WorkerUse, seconds: number): ApiError {
    if (this.count(worker, use, 'rejections') === 1) {
      const message = 'Joined worker exceeds its limits; revoke it if you do not know why';
      this.logger.warn({ message, worker, inFlight: use.startedAt.size });
    }
    return rateLimitedError(seconds);
  }
}

type PublishFrame = Extract<ClientFrame, { kind: 'publish' }>;

/** The limits of one worker, as one of its links uses them. */
export interface LinkLimits {
  /** @returns the error that a message is rejected with; null if it may pass. Usually not a promise */
  admit(frame: PublishFrame): ApiError | null | Promise<ApiError | null>;
  /** Call it for each response. @param reply subject to which it came */
  complete(reply: string): void;
  /** Call it for each message of these kinds. */
  count(counted: 'protocol' | 'responses'): void;
  /** Call it for each message that the worker may not send. @param violation see `findViolation` */
  countViolation(violation: string): void;
  /** Whether the worker did so much in this minute that its links end. */
  readonly isExceeded: boolean;
  /** Call it once, at the end of the link. */
  close(): void;
}

const newMinute = (): WorkerUse['minute'] => ({
  endsAt: performance.now() + MINUTE_MS,
  counts: { links: 0, protocol: 0, responses: 0, rejections: 0, violations: 0 },
  isExceeded: false,
});

const isExceeded = ({ minute }: WorkerUse): boolean => minute.isExceeded && performance.now() < minute.endsAt;

/** Whether a request with this reply subject may still get a response. */
function isInFlight({ startedAt }: WorkerUse, reply: string): boolean {
  const at = startedAt.get(reply);
  return at !== undefined && performance.now() - at < MAX_FLIGHT_MS;
}

/** Whether a worker has as many requests in flight as it may. Forgets those that will get no response. */
function isFull({ startedAt }: WorkerUse): boolean {
  if (startedAt.size < MAX_IN_FLIGHT) return false;
  const now = performance.now();
  for (const [reply, at] of startedAt) {
    if (now - at < MAX_FLIGHT_MS) break;
    startedAt.delete(reply);
  }
  return startedAt.size >= MAX_IN_FLIGHT;
}
