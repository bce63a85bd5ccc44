import type { Payload } from '@millrace/contracts/kit/event';
import { triggerChanged } from '@millrace/contracts/workflows/triggers';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Workflow } from '@millrace/persistence/generated/client';

/** Publishes who changed the hook or schedule of a workflow; the audit log records it. */
export function publishTriggerChange(
  tx: Transaction,
  action: Payload<typeof triggerChanged>['action'],
  { id: workflow, name }: Pick<Workflow, 'id' | 'name'>,
  { caller, envelope }: Context,
  fields: string[] = [],
): void {
  const { vault, user } = caller;
  const optional = { ...(fields.length > 0 && { fields }), ...clientFields(envelope) };
  tx.emit(triggerChanged, { action, vault, user, workflow, name, ...optional });
}
