/**
 * Millrace's services. Each has its own broker credentials and, except for gateway and worker, its own Postgres schema.
 */
export const SERVICES = [
  'gateway',
  'auth',
  'workflows',
  'runs',
  'worker',
  'datasets',
  'billing',
  'notifications',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The service that owns a dotted name such as `workflows.spaces.get`: its first part. */
export function serviceOf(name: string): ServiceName {
  const first = name.split('.')[0];
  const service = SERVICES.find((known) => known === first);
  if (!service) throw new Error(`"${name}" must start with one of ${SERVICES.join(', ')}`);
  return service;
}
