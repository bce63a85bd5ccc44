import { pagePaths } from '@millrace/contracts/kit/page-paths';
import type { NotificationContent } from '../feed/insert-notifications.js';
import type { UserNotification } from '../recipients/notify-users.js';
import type { AddressedWebhookEvent } from '../webhooks/messages/webhook-event.js';
import { describeCounts, listCounts } from './describe-counts.js';
import type { Match, TableChange } from './find-subscriptions.js';
import { listFirstRows } from './list-first-rows.js';

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
    page: pageOf(change, match),
    ...(run !== undefined && { links: { run_url: pagePaths.run(run) } }),
    data: toData(change, match),
  };
}

/** The notification of a follower. Its mail has the first rows, and how to stop following. */
export function toNotification(
  change: TableChange,
  match: Match,
): NotificationContent & Pick<UserNotification, 'page' | 'mail'> {
  const { title, detail } = phrase(change, match);
  const rows = listFirstRows(match);
  const view = match.table?.view;
  return {
    // The interface fixes the types that users configure; followers choose their channels when they follow.
    type: 'MANUAL_RUN_COMPLETED',
    kind: 'TABLE_CHANGED',
    title,
    message: [detail, summarize(change, match)].filter((text) => text !== undefined).join(' '),
    metadata: toData(change, match),
    page: pageOf(change, match),
    mail: {
      ...(rows && { table: rows }),
      follow: { kind: view ? 'view' : 'table', name: view?.name ?? change.name, path: followPathOf(change, match) },
    },
  };
}

/** The page of what a follower is interested in: the view, or else the table. */
const pageOf = ({ dataset }: TableChange, { table }: Match): string =>
  table?.view ? pagePaths.view(table.view.solution, table.view.id) : pagePaths.table(dataset);

/** The path in the API to follow it, or to stop following. */
const followPathOf = ({ dataset }: TableChange, { table }: Match): string =>
  `/api${table?.view ? `/solutions/${table.view.solution}/views/${table.view.id}` : `/datasets/${dataset}`}/follow`;

/** Of a view, first the rows that match it, then those of the whole load if there are more. */
function summarize(change: TableChange, { table, problem, ...matching }: Match): string {
  const source = change.run === undefined ? 'An upload' : `Run ${change.run}`;
  const view = table?.view;
  if (!view || problem !== undefined) return `${source} has changed "${change.name}": ${describeCounts(change)}.`;
  const inView = `${source} has changed rows of "${change.name}" that match "${view.name}": ${describeCounts({ ...matching, gone: 0 })}.`;
  const isWhole = matching.new === change.new && matching.changed === change.changed && change.gone === 0;
  return isWhole ? inView : `${inView} In the whole table, ${describeCounts(change)}.`;
}

function phrase(change: TableChange, { table, problem, ...matching }: Match): { title: string; detail?: string } {
  const view = table?.view;
  if (problem !== undefined && view) {
    return {
      title: `${change.name} changed; "${view.name}" could not be queried`,
      detail: `The query failed: ${endSentence(problem)}`,
    };
  }
  const counts = listCounts(view ? { ...matching, gone: 0 } : change);
  const title = `${change.name}: ${counts}${view ? ` in "${view.name}"` : ''}`;
  return problem === undefined
    ? { title }
    : { title, detail: `The first rows could not be read: ${endSentence(problem)}` };
}

const endSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

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
