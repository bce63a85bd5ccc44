import type { matchChanges } from '@millrace/contracts/datasets/table-changes';
import type { Result } from '@millrace/contracts/kit/operation';
import type { NotificationContent } from '../feed/insert-notifications.js';
import type { AddressedWebhookEvent } from '../webhooks/messages/webhook-event.js';
import type { TableChange } from './find-subscriptions.js';

/** The rows of a change that a view, or the whole table, selects. */
export type Match = Result<typeof matchChanges>;

/** Whether there is something to report: for a view, only rows that match it, or that this is unknown. */
export const isOfInterest = ({ table, new: created, changed, problem }: Match): boolean =>
  table?.view == null || created + changed > 0 || problem !== undefined;

/** The event that webhooks send. */
export function describeTableChange(change: TableChange, match: Match): AddressedWebhookEvent {
  const { vault, space, workflow, dataset, run, at } = change;
  const { title, detail } = phrase(change, match);
  return {
    ...{ type: 'table.changed', vault, space, dataset, at, summary: title },
    ...(workflow !== undefined && { workflow }),
    ...(detail !== undefined && { detail }),
    page: pageOf(change),
    ...(run !== undefined && { links: { run_url: `/runs/${run}` } }),
    data: toData(change, match),
  };
}

/** The notification of a follower. */
export function toNotification(change: TableChange, match: Match): NotificationContent & { page: string } {
  const { title, detail } = phrase(change, match);
  const source = change.run === undefined ? 'An upload' : `Run ${change.run}`;
  const counts = `${source} added ${rows(change.new)} to "${change.name}", changed ${rows(change.changed)}, and ${rows(change.gone)} ${change.gone === 1 ? 'is' : 'are'} gone.`;
  return {
    // The interface fixes the types that users configure; followers choose their channels when they follow.
    type: 'MANUAL_RUN_COMPLETED',
    kind: 'TABLE_CHANGED',
    title,
    message: [detail, counts].filter((text) => text !== undefined).join(' '),
    metadata: toData(change, match),
    page: pageOf(change),
  };
}

const pageOf = ({ dataset }: TableChange): string => `/datasets/${dataset}`;

const rows = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;

function phrase(change: TableChange, { table, problem, ...matching }: Match): { title: string; detail?: string } {
  const view = table?.view;
  if (problem !== undefined && view) {
    return {
      title: `${change.name} changed; "${view.name}" could not be queried`,
      detail: `The query failed: ${problem}`,
    };
  }
  const counts = view ? matching : change;
  const parts = [
    ...(counts.new > 0 ? [`${counts.new.toLocaleString('en-US')} new`] : []),
    ...(counts.changed > 0 ? [`${counts.changed.toLocaleString('en-US')} changed`] : []),
    ...(!view && change.gone > 0 ? [`${change.gone.toLocaleString('en-US')} gone`] : []),
  ];
  const title = `${change.name}: ${parts.join(', ')}${view ? ` in "${view.name}"` : ''}`;
  return problem === undefined ? { title } : { title, detail: `The first rows could not be read: ${problem}` };
}

function toData(change: TableChange, match: Match): AddressedWebhookEvent['data'] {
  const { dataset, name, solution, space, load, run, workflow, partial, gone, at } = change;
  const view = match.table?.view;
  return {
    ...{ dataset, name, solution, space, load, partial },
    ...(run !== undefined && { run }),
    ...(workflow !== undefined && { workflow }),
    ...{ new: change.new, changed: change.changed, gone },
    ...(view && { view: view.id, view_name: view.name, matching_new: match.new, matching_changed: match.changed }),
    rows: match.rows,
    ...(match.problem !== undefined && { problem: match.problem }),
    changed_date: at,
  };
}
