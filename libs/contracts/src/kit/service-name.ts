/** The processes that talk to each other; each has its own broker credentials and, but for gateway and worker, its own Postgres schema. */
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

/** The service that a dotted name (`workflows.spaces.get`) belongs to: its first part. */
export function serviceOf(name: string): ServiceName {
  const first = name.split('.')[0];
  const service = SERVICES.find((known) => known === first);
  if (!service) throw new Error(`"${name}" must begin with one of ${SERVICES.join(', ')}`);
  return service;
}
