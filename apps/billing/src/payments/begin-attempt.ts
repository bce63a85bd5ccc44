import { MOST_PAYMENT_METHODS } from '@millrace/contracts/billing/payment-methods';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { lockCards } from './lock-cards.js';
import type { ProviderName } from './payment-env.js';
import type { Account } from './payment-provider.js';

export interface Attempt {
  id: string;
  account: Account;
  /** The provider's name of the account, if it has one. */
  customer: string | null;
}

/**
 * Notes that a card is about to be handed over, before it is: what a crash cuts off is found by the note, and taken away or
 * gone on with. The same `key` gives the same attempt until it has come to an end.
 * @throws ValidationError where the vault has as many cards as it may
 */
export async function beginAttempt(
  tx: Transaction,
  { vault, key, provider }: { vault: string; key: string; provider: ProviderName },
): Promise<Attempt> {
  await lockCards(tx, vault);
  await refuseTooMany(tx, vault, key);
  const account = await findAccount(tx, vault, provider);
  const [{ id }] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO billing.card_attempt (id, key, vault_id, provider)
    VALUES (${newId()}::uuid, ${key}, ${vault}::uuid, ${provider})
    ON CONFLICT (key) DO UPDATE SET started_at = now()
    RETURNING id::text`;
  return { id, account: { id: account.id, vault }, customer: account.customer };
}

/** Attempts count, for each may become a card. */
async function refuseTooMany(tx: Transaction, vaultId: string, key: string): Promise<void> {
  const kept = await tx.paymentMethod.count({ where: { vaultId } });
  const begun = await tx.cardAttempt.count({ where: { vaultId, key: { not: key } } });
  if (kept + begun < MOST_PAYMENT_METHODS) return;
  throw new ValidationError({ body: `there may be ${MOST_PAYMENT_METHODS} payment methods in a vault` });
}

async function findAccount(tx: Transaction, vault: string, provider: ProviderName) {
  await tx.$executeRaw`
    INSERT INTO billing.payment_account (vault_id, provider, id) VALUES (${vault}::uuid, ${provider}, ${newId()}::uuid)
    ON CONFLICT (vault_id, provider) DO NOTHING`;
  return tx.paymentAccount.findUniqueOrThrow({ where: { vaultId_provider: { vaultId: vault, provider } } });
}
