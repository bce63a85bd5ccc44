import { consumerOf, eventStreamOf, type EventType } from '@millrace/contracts/kit/event';
import { subjectOf } from '@millrace/contracts/kit/operation';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { events, operations, signals } from '@millrace/contracts/registry';

export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
}

/**
 * Derives the broker permissions of a service from the registry: its own operations and events, the internal operations
 * that list it as a caller, and the streams that it fills or reads. `allow_responses` permits responses to requests.
 */
export function natsPermissionsOf(service: ServiceName): NatsPermissions {
  const publishesEvents = events.some((event) => event.source === service) || !['gateway', 'worker'].includes(service);
  const publish = [
    ...callableSubjects(service),
    ...signals.filter((signal) => signal.from.includes(service)).flatMap(({ subject }) => [subject, `${subject}.>`]),
    ...(publishesEvents ? [`evt.${service}.>`, ...ownStreamApi(eventStreamOf(service))] : []),
    ...events.filter((event) => event.consumers.includes(service)).flatMap((event) => consumerSubjects(service, event)),
  ];
  const subscribe = [
    `_INBOX_${service}.>`,
    ...operations
      .filter((operation) => operation.service === service)
      .flatMap((operation) => [subjectOf(operation), `${subjectOf(operation)}.>`]),
    ...signals.filter((signal) => signal.to.includes(service)).flatMap(({ subject }) => [subject, `${subject}.>`]),
  ];
  return { publish: [...new Set(publish)].sort(), subscribe: [...new Set(subscribe)].sort() };
}

function callableSubjects(service: ServiceName): string[] {
  return operations
    .filter(({ access }) => (access.kind === 'internal' ? access.callers.includes(service) : service === 'gateway'))
    .flatMap((operation) => [subjectOf(operation), `${subjectOf(operation)}.>`]);
}

const consumerSubjects = (service: ServiceName, event: EventType): string[] => [
  ...streamApi(eventStreamOf(event.source)),
  ...consumerApi(eventStreamOf(event.source), consumerOf(service, event)),
];

const streamApi = (stream: string): string[] => ['INFO', 'CREATE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`);

/** The service that fills a stream decides how long its events are stored. */
const ownStreamApi = (stream: string): string[] => [...streamApi(stream), `$JS.API.STREAM.UPDATE.${stream}`];

/** Subjects of the JetStream API for one pull consumer (NATS docs, "JetStream wire API reference"). */
const consumerApi = (stream: string, consumer: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.${consumer}`,
  `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${consumer}`,
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
  `$JS.ACK.${stream}.${consumer}.>`,
];
