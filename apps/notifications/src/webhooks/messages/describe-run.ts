import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import type { WebhookEventType } from '@millrace/contracts/notifications/webhooks';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { AddressedWebhookEvent } from './webhook-event.js';

type RunEnd = Payload<typeof runFinished>;

/** Messages should be short (Standard Webhooks, "Payload size"); the run has the complete error. */
const MAX_ERROR_LENGTH = 4_000;

const EVENTS_BY_STATUS: Partial<Record<RunEnd['status'], [type: WebhookEventType, verb: string]>> = {
  COMPLETED: ['run.completed', 'completed in'],
  FAILED: ['run.failed', 'failed after'],
  STOPPED: ['run.stopped', 'was stopped after'],
};

/** The event of a run that has ended; none for statuses without a webhook event. */
export function describeRun(run: RunEnd): AddressedWebhookEvent[] {
  const [type, verb] = EVENTS_BY_STATUS[run.status] ?? [];
  if (!type) return [];
  const { vault, space, workflow } = run;
  const error = run.error === null ? undefined : shorten(run.error);
  return [
    {
      ...{ type, vault, space, workflow, at: run.finishedAt },
      summary: `Run ${run.run} ("${run.name}") of ${run.workflowName} ${verb} ${formatDuration(run.durationMs)}`,
      page: pagePaths.run(run.run),
      ...(error !== undefined && { detail: shorten(describeFailures(run) ?? error) }),
      data: {
        run: run.run,
        name: run.name,
        status: run.status,
        workflow,
        workflow_name: run.workflowName,
        space,
        author: run.author,
        creation_type: run.creationType,
        ...(run.schedule !== undefined && { schedule: run.schedule }),
        duration_ms: run.durationMs,
        ...(error !== undefined && { error }),
        ...(run.failures && { failures: run.failures, failed_nodes: run.failedNodes ?? run.failures.length }),
        finished_date: run.finishedAt,
      },
    },
  ];
}

/** The failed nodes that the error of the run names, one per line; null for another error, such as a timeout. */
function describeFailures({ error, failures = [], failedNodes = failures.length }: RunEnd): string | null {
  const [first] = failures;
  if (!first || !error?.startsWith(`${first.node}: `)) return null;
  const lines = failures.map(({ node, reason }) => `${node}: ${reason}`);
  const more = failedNodes - failures.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

const shorten = (text: string): string =>
  text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH).toWellFormed()}…` : text;
