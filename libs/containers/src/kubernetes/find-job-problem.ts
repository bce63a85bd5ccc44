import type { EventsV1Api } from '@kubernetes/client-node';

const NO_POD = 'its Job has no pod';

/** Why Kubernetes makes no pod for a Job: the last warning about it, for example of a quota or of Pod Security. */
export async function findJobProblem(events: EventsV1Api, namespace: string, job: string): Promise<string> {
  try {
    const fieldSelector = `regarding.kind=Job,regarding.name=${job},type=Warning`;
    const { items } = await events.listNamespacedEvent({ namespace, fieldSelector });
    return items.at(-1)?.note ?? NO_POD;
  } catch {
    // The worker may have no right to read events.
    return `${NO_POD}; "kubectl describe job ${job}" may say why`;
  }
}
