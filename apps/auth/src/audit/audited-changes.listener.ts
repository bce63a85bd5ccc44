import { Injectable } from '@nestjs/common';
import { budgetChanged } from '@millrace/contracts/billing/budget';
import { paymentMethodChanged } from '@millrace/contracts/billing/payment-methods';
import type { Payload } from '@millrace/contracts/kit/event';
import { webhookChanged } from '@millrace/contracts/notifications/webhooks';
import { approvalDecided } from '@millrace/contracts/runs/approvals';
import { cacheCleared } from '@millrace/contracts/runs/cached-results';
import { runControlled } from '@millrace/contracts/runs/control';
import { secretChanged } from '@millrace/contracts/workflows/secrets';
import { triggerChanged } from '@millrace/contracts/workflows/triggers';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, type NewAuditEntry, writeAuditEntry } from './write-audit-entry.js';

/** Records privileged changes that users made in other services. */
@Injectable()
export class AuditedChangesListener {
  /** Records who approved or rejected which step of a run, and why. Without a user, the request expired, and the default decided. */
  @EventHandler(approvalDecided)
  async recordApprovals(decisions: Payload<typeof approvalDecided>[], tx: Transaction): Promise<void> {
    await recordEach(tx, decisions, ({ decision, user, run, name, node, subjob, comment }) => ({
      action: user === undefined ? 'approval.expired' : `approval.${decision}`,
      target: { type: 'run', id: run, name },
      details: {
        ...{ node, subjob },
        ...(user === undefined && { decision }),
        ...(comment !== undefined && { comment }),
      },
    }));
  }

  /** Records who paused, repaired, changed or deleted which run. */
  @EventHandler(runControlled)
  async recordRuns(changes: Payload<typeof runControlled>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ action, run, name, details }) => ({
      action,
      target: { type: 'run', id: run, name },
      ...(details && { details }),
    }));
  }

  /** Records who removed the cached results of which node, workflow or space. */
  @EventHandler(cacheCleared)
  async recordClearedCaches(changes: Payload<typeof cacheCleared>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ space, workflow, name, node }) => ({
      action: 'cache.cleared',
      target: {
        type: workflow === undefined ? 'space' : 'workflow',
        id: workflow ?? space,
        ...(name !== undefined && { name }),
      },
      ...(node !== undefined && { details: { node } }),
    }));
  }

  /** Records who set a vault's usage limit, and to what. */
  @EventHandler(budgetChanged)
  async recordBudgets(changes: Payload<typeof budgetChanged>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ vault, limit, stopRunning }) => ({
      action: 'budget.changed',
      target: { type: 'vault', id: vault },
      details: { cloud_usage_limit: limit, stop_running: stopRunning },
    }));
  }

  /** Records who added or removed which card, by its brand and last digits. */
  @EventHandler(paymentMethodChanged)
  async recordPaymentMethods(changes: Payload<typeof paymentMethodChanged>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ change, paymentMethod, brand, last4 }) => ({
      action: `payment_method.${change}`,
      target: { type: 'payment_method', id: paymentMethod, name: `${brand} ${last4}` },
    }));
  }

  /** Records who set which secret variable, but never its value. */
  @EventHandler(secretChanged)
  async recordSecrets(changes: Payload<typeof secretChanged>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ change, variable, name, scope, space }) => ({
      action: `secret_variable.${change}`,
      target: { type: 'secret_variable', id: variable, name },
      details: { scope, ...(space !== undefined && { space }) },
    }));
  }

  /** Records who changed a workflow's hook or schedule. Neither has an id of its own. */
  @EventHandler(triggerChanged)
  async recordTriggers(changes: Payload<typeof triggerChanged>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ action, workflow, name, fields }) => ({
      action,
      target: { type: 'workflow', id: workflow, name },
      ...(fields && { details: { fields } }),
    }));
  }

  /** Records who changed which webhook, since webhooks send events out of the vault. */
  @EventHandler(webhookChanged)
  async recordWebhooks(changes: Payload<typeof webhookChanged>[], tx: Transaction): Promise<void> {
    await recordEach(tx, changes, ({ change, webhook, name, fields }) => ({
      action: `webhook.${change}`,
      target: { type: 'webhook', id: webhook, name },
      ...(fields && { details: { fields } }),
    }));
  }
}

/** Writes an entry for each change, in their order. */
async function recordEach<Change extends Parameters<typeof actorFromEvent>[0]>(
  tx: Transaction,
  changes: Change[],
  describe: (change: Change) => Omit<NewAuditEntry, 'vault' | 'actor' | 'address' | 'agent'>,
): Promise<void> {
  for (const change of changes) {
    await writeAuditEntry(tx, { ...actorFromEvent(change), ...describe(change) });
  }
}
