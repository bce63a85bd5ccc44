import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import type { approvalDecided, approvalRequested } from '@millrace/contracts/runs/approvals';
import type { NotificationContent } from '../feed/insert-notifications.js';
import type { AddressedWebhookEvent } from '../webhooks/messages/webhook-event.js';

type Request = Payload<typeof approvalRequested>;
type Decision = Payload<typeof approvalDecided>;

/** The webhook event of a request for an approval. */
export function describeRequest(request: Request): AddressedWebhookEvent {
  const { vault, space, workflow, run, node, label, message, subjobs, count, requestedAt, expiresAt } = request;
  return {
    ...{ type: 'approval.requested', vault, space, workflow, at: requestedAt },
    summary: `Run ${run} ("${request.name}") of ${request.workflowName} waits for an approval at ${label}`,
    page: pagePaths.run(run),
    ...(message !== '' && { detail: message }),
    data: {
      ...{ run, name: request.name, workflow, workflow_name: request.workflowName, space, node, label, message },
      role: request.role,
      subjobs: subjobs.map((subjob) => ({ subjob })),
      count,
      requested_date: requestedAt,
      ...(expiresAt !== undefined && { expires_date: expiresAt, on_expiry: request.onExpiry ?? 'reject' }),
    },
  };
}

/** The notification of a user who may decide. */
export function toNotification(request: Request): NotificationContent & { vault: string; page: string } {
  const { vault, run, node, label, message, subjobs, count, expiresAt, onExpiry } = request;
  const consequence = onExpiry === 'approve' ? 'approved' : 'rejected';
  const expiry = expiresAt === undefined ? [] : [`Without a decision it is ${consequence} at ${expiresAt}.`];
  return {
    // The interface fixes the types that users configure. This one is for what needs their attention.
    ...{ type: 'RUN_FAILED', kind: 'APPROVAL_REQUESTED', vault, page: pagePaths.run(run) },
    title: `Run ${run} of ${request.workflowName} waits for an approval`,
    message: [`${label}: ${message === '' ? 'Approve or reject it.' : message}`, ...expiry].join(' '),
    metadata: { run, workflow: request.workflow, space: request.space, node, subjobs, count },
  };
}

/** The webhook event of a decision. */
export function describeDecision(decided: Decision): AddressedWebhookEvent {
  const { vault, space, workflow, run, node, label, subjob, decision, user, comment, decidedAt } = decided;
  return {
    ...{ type: 'approval.decided', vault, space, workflow, at: decidedAt },
    summary: `${label} of run ${run} ("${decided.name}") was ${decision}${user === undefined ? ', because nobody decided in time' : ''}`,
    page: pagePaths.run(run),
    ...(comment !== undefined && { detail: comment }),
    data: {
      ...{
        run,
        name: decided.name,
        workflow,
        workflow_name: decided.workflowName,
        space,
        node,
        label,
        subjob,
        decision,
      },
      ...(user !== undefined && { user }),
      ...(comment !== undefined && { comment }),
      decided_date: decidedAt,
    },
  };
}
