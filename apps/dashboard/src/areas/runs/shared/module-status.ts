import type { Subjob } from '@millrace/client';

/** From the one that tells most about a module to the one that tells least. */
const BY_IMPORTANCE: readonly Subjob['status'][] = [
  'FAILED',
  'RUNNING',
  'STOPPING',
  'STOPPED',
  'PENDING',
  'SUCCEEDED',
  'SKIPPED',
];

/** The status of a module: the most important one of the nodes inside it, and running if only some have ended. */
export function statusOfModule(inner: readonly Pick<Subjob, 'status'>[]): Subjob['status'] | undefined {
  const statuses = new Set(inner.map(({ status }) => status));
  if (statuses.has('PENDING') && (statuses.has('SUCCEEDED') || statuses.has('RUNNING')) && !statuses.has('FAILED'))
    return 'RUNNING';
  return BY_IMPORTANCE.find((status) => statuses.has(status));
}
