import type { Notification } from '@millrace/client';

/** The page that a notification is about. */
export type Target =
  | { to: '/runs/$runId'; params: { runId: string } }
  | { to: '/tables/$tableId'; params: { tableId: string } }
  | { to: '/solutions/$solutionId/views/$viewId'; params: { solutionId: string; viewId: string } }
  | { to: '/library/modules/$moduleId'; params: { moduleId: string } }
  | { to: '/library/workflows/$snapshotId'; params: { snapshotId: string } }
  | { to: '/schedules'; search: { workflow: string } }
  | { to: '/workflows/$workflowId'; params: { workflowId: string } };

/** Where a notification leads; undefined if its metadata names nothing that has a page. */
export function findTarget({ metadata }: Pick<Notification, 'metadata'>): Target | undefined {
  const id = (field: string): string | undefined => {
    const value = metadata[field];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const [view, solution, dataset] = [id('view'), id('solution'), id('dataset')];
  // The change of a table names the run that loaded it, too.
  if (view !== undefined && solution !== undefined)
    return { to: '/solutions/$solutionId/views/$viewId', params: { solutionId: solution, viewId: view } };
  if (dataset !== undefined) return { to: '/tables/$tableId', params: { tableId: dataset } };
  const [run, snapshot, module] = [id('run'), id('snapshot'), id('module')];
  if (run !== undefined) return { to: '/runs/$runId', params: { runId: run } };
  if (module !== undefined) return { to: '/library/modules/$moduleId', params: { moduleId: module } };
  if (snapshot !== undefined) return { to: '/library/workflows/$snapshotId', params: { snapshotId: snapshot } };
  const [workflow, schedule] = [id('workflow'), id('schedule')];
  if (workflow === undefined) return undefined;
  return schedule === undefined
    ? { to: '/workflows/$workflowId', params: { workflowId: workflow } }
    : { to: '/schedules', search: { workflow } };
}
