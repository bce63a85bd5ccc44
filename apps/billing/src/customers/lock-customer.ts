import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Customer } from '@millrace/persistence/generated/client';

/** Locks a customer until the transaction ends and returns it. Required before a change of its plan or limit. */
export async function lockCustomer(tx: Transaction, vaultId: string): Promise<Customer> {
  await tx.$queryRaw`SELECT 1 FROM billing.customer WHERE vault_id = ${vaultId}::uuid FOR UPDATE`;
  const customer = await tx.customer.findUnique({ where: { vaultId } });
  if (!customer) throw new NotFoundError(`Customer ${vaultId}`);
  return customer;
}
