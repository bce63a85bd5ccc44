import type { Health } from '@millrace/contracts/kit/health';
import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import type { SystemHealth } from './health-query.js';

/** One service, as the list shows it. */
export interface ServiceSummary {
  service: ServiceName;
  status: Health['status'];
  version: string | undefined;
  /** What does not work, and what deserves attention although the service works. */
  problems: string[];
  warnings: string[];
  /** Absent if the service did not report it. */
  backlog: BacklogSummary | undefined;
}

interface BacklogSummary {
  /** Events and jobs that are written and not yet relayed. */
  relayed: number;
  jobs: number;
  events: number;
  /** Age of the oldest of the first two. Nobody measures that of events. */
  oldestSeconds: number;
}

/** All services in the order of the contract, those that are missing from the report too. */
export const summarizeHealth = ({ services, version }: SystemHealth): ServiceSummary[] =>
  SERVICES.map((service) => summarizeService(service, services[service], version));

function summarizeService(service: ServiceName, health: Health | undefined, system: string): ServiceSummary {
  if (!health)
    return {
      ...{ service, status: 'unavailable', version: undefined, warnings: [], backlog: undefined },
      problems: ['is not in the report'],
    };
  const { status, version, checks, warnings = {}, backlog } = health;
  const failed = Object.entries(checks).filter(([, outcome]) => outcome !== 'ok');
  const isOther = version !== undefined && version !== system;
  return {
    ...{ service, status, version },
    problems: failed.map(([name, outcome]) => `${name}: ${outcome}`),
    warnings: [
      ...(isOther ? [`Its version is not that of the gateway, ${system}.`] : []),
      ...Object.entries(warnings).map(([subject, text]) => `${subject}: ${text}`),
    ],
    backlog: backlog && summarizeBacklog(backlog),
  };
}

function summarizeBacklog({ outbox, queues, events }: NonNullable<Health['backlog']>): BacklogSummary {
  const all = Object.values(queues);
  return {
    relayed: outbox.waiting,
    jobs: all.reduce((sum, { waiting }) => sum + waiting, 0),
    events: Object.values(events).reduce((sum, count) => sum + count, 0),
    oldestSeconds: Math.max(outbox.oldestSeconds, ...all.map(({ oldestSeconds }) => oldestSeconds)),
  };
}
