import { workOnTask } from '@millrace/contracts/auth/admin/admin-tasks';
import type { JobType } from '@millrace/contracts/kit/job';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { Contracts } from '@millrace/contracts/registry/collect';

/** Events that a service publishes, and jobs that it enqueues. */
export type OwnContracts = Pick<Contracts, 'events' | 'jobs'>;

/** Imported one by one, because the contracts of all services take much memory in each of them. */
const LOADERS: Partial<Record<ServiceName, () => Promise<OwnContracts>>> = {
  auth: async () => {
    const { authContracts } = await import('@millrace/contracts/registry/auth');
    const { sendMail } = await import('@millrace/contracts/notifications/mail');
    return { events: authContracts.events, jobs: [...authContracts.jobs, sendMail] };
  },
  workflows: async () => (await import('@millrace/contracts/registry/workflows')).workflowsContracts,
  runs: async () => (await import('@millrace/contracts/registry/runs')).runsContracts,
  datasets: async () => (await import('@millrace/contracts/registry/datasets')).datasetsContracts,
  billing: async () => (await import('@millrace/contracts/registry/billing')).billingContracts,
  notifications: async () => (await import('@millrace/contracts/registry/notifications')).notificationsContracts,
};

/** The gateway and the worker have neither events nor jobs of their own. */
export async function loadOwnContracts(service: ServiceName): Promise<OwnContracts> {
  const own = await LOADERS[service]?.();
  if (!own) return { events: [], jobs: [] };
  // Tasks of administrators are declared in auth for all services.
  const tasks = new Set<JobType>(Object.values(workOnTask));
  return {
    events: own.events,
    jobs: [...own.jobs.filter((job) => !tasks.has(job)), ...[...tasks].filter(({ source }) => source === service)],
  };
}
