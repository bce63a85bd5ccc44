import { Prisma } from '@millrace/persistence/generated/client';

/** SQL: the vaults whose active runs and sandboxes are to be stopped, with the reason. A vault may have two. */
export const stoppingVaults = Prisma.sql`(
  SELECT vault_id, reason FROM runs.vault_restriction WHERE reason IS NOT NULL AND stop_running
  UNION ALL SELECT vault_id, 'suspended' FROM runs.vault_override WHERE suspended AND stop_runs)`;
