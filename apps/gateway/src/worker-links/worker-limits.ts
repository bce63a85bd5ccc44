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
/** How often a worker that exceeds its limits is logged. */
const WARNING_INTERVAL_MS = 60_000;

/** The requests of one worker that have no response yet, over all of its links. */
interface WorkerRequests {
  /** Time of each request by its reply subject, oldest first. */
  startedAt: Map<string, number>;
  links: number;
  warnedAt: number;
}

/**
 * Limits what a joined worker sends to the services, because its credential may be stolen: requests per minute over all
 * gateways (WORKER_RATE_LIMIT_PER_MINUTE), requests in flight at this gateway, and messages without a response.
 */
@Injectable()
export class WorkerLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(WorkerLimits.name);
  private readonly limiter: RateLimiter;
  private readonly workers = new Map<string, WorkerRequests>();

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

  /** Counts the requests of a worker from its first link to the end of its last one. */
  open(worker: string): LinkLimits {
    const requests = this.workers.get(worker) ?? { startedAt: new Map(), links: 0, warnedAt: 0 };
    this.workers.set(worker, requests);
    requests.links += 1;
    return {
      admit: (frame) => this.admit(worker, requests, frame),
      complete: (reply) => void requests.startedAt.delete(reply),
      close: () => {
        requests.links -= 1;
        if (requests.links === 0) this.workers.delete(worker);
      },
    };
  }

  private admit(
    worker: string,
    requests: WorkerRequests,
    { subject, reply }: PublishFrame,
  ): ApiError | null | Promise<ApiError | null> {
    if (reply !== null) {
      // Requests with one reply subject would count as one.
      if (isFull(requests) || isInFlight(requests, reply)) return this.reject(worker, requests, 1);
      // Before the token is there, because other links of the worker send requests meanwhile.
      requests.startedAt.delete(reply);
      requests.startedAt.set(reply, performance.now());
    }
    // Each signal has a bucket of its own: a worker whose requests are limited still sends heartbeats.
    const taken = this.limiter.take(reply === null ? `worker-signals:${subject}:${worker}` : `worker:${worker}`);
    const apply = (admission: Awaited<typeof taken>) => {
      if (!admission || admission.isAdmitted) return null;
      if (reply !== null) requests.startedAt.delete(reply);
      return this.reject(worker, requests, admission.retrySeconds);
    };
    return taken instanceof Promise ? taken.then(apply) : apply(taken);
  }

  private reject(worker: string, requests: WorkerRequests, seconds: number): ApiError {
    const now = Date.now();
    if (now - requests.warnedAt > WARNING_INTERVAL_MS) {
      requests.warnedAt = now;
      this.logger.warn({
        message: 'Joined worker exceeds its limits; revoke it if you do not know why',
        worker,
        inFlight: requests.startedAt.size,
      });
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
  /** Call it once, at the end of the link. */
  close(): void;
}

/** Whether a request with this reply subject may still get a response. */
function isInFlight({ startedAt }: WorkerRequests, reply: string): boolean {
  const at = startedAt.get(reply);
  return at !== undefined && performance.now() - at < MAX_FLIGHT_MS;
}

/** Whether a worker has as many requests in flight as it may. Forgets those that will get no response. */
function isFull({ startedAt }: WorkerRequests): boolean {
  if (startedAt.size < MAX_IN_FLIGHT) return false;
  const now = performance.now();
  for (const [reply, at] of startedAt) {
    if (now - at < MAX_FLIGHT_MS) break;
    startedAt.delete(reply);
  }
  return startedAt.size >= MAX_IN_FLIGHT;
}
