import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { Contracts } from '@millrace/contracts/registry/collect';

/** Imported one by one, because the contracts of all services take much memory in each of them. */
const LOADERS: Partial<Record<ServiceName, () => Promise<Contracts>>> = {
  auth: async () => (await import('@millrace/contracts/registry/auth')).authContracts,
  workflows: async () => (await import('@millrace/contracts/registry/workflows')).workflowsContracts,
  runs: async () => (await import('@millrace/contracts/registry/runs')).runsContracts,
  datasets: async () => (await import('@millrace/contracts/registry/datasets')).datasetsContracts,
  billing: async () => (await import('@millrace/contracts/registry/billing')).billingContracts,
  notifications: async () => (await import('@millrace/contracts/registry/notifications')).notificationsContracts,
};

/** What a service itself declares. The gateway and the worker declare neither events nor jobs. */
export async function loadOwnContracts(service: ServiceName): Promise<Pick<Contracts, 'events' | 'jobs'>> {
  return (await LOADERS[service]?.()) ?? { events: [], jobs: [] };
}
