import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { ProviderName } from '../provider/payment-env.js';
import type { Account } from '../provider/payment-provider.js';
import { enqueueCardRemoval } from '../removals/enqueue-card-removal.js';
import { lockCards } from './lock-cards.js';
import { cardLimitError, isCardLimitReached } from './save-card.js';

export interface Attempt {
  id: string;
  account: Account;
  /** The provider's id of the customer, if it has one. */
  customer: string | null;
}

/** Concurrent attempts per vault, including those whose result at the provider is unknown. */
export const MAX_ATTEMPTS = 20;
/** `SweepCardsService` abandons attempts some minutes after their start. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Records an attempt before the card goes to the provider. After a crash the record allows to continue, or to remove the
 * card from the provider. The same `key` gets the same attempt until the attempt has ended.
 * @throws ValidationError if the vault has the maximum number of cards; ApiError `rate_limited`
 */
export async function beginAttempt(
  tx: Transaction,
  { vault, key, provider }: { vault: string; key: string; provider: ProviderName },
): Promise<Attempt> {
  await lockCards(tx, vault);
  if (await isCardLimitReached(tx, vault)) throw cardLimitError();
  await refuseMoreAttempts(tx, vault, key);
  const account = await findAccount(tx, vault, provider);
  const [{ id }] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO billing.card_attempt (id, key, vault_id, provider)
    VALUES (${newId()}::uuid, ${key}, ${vault}::uuid, ${provider})
    ON CONFLICT (key) DO UPDATE SET started_at = now()
    RETURNING id::text`;
  return { id, account: { id: account.id, vault }, customer: account.customer };
}

/** @throws ApiError `rate_limited` */
async function refuseMoreAttempts(tx: Transaction, vaultId: string, key: string): Promise<void> {
  const pending = await tx.cardAttempt.count({ where: { vaultId, key: { not: key } } });
  if (pending < MAX_ATTEMPTS) return;
  const message = `The payment provider has not confirmed ${pending} cards of this vault yet (at most ${MAX_ATTEMPTS} may be pending). Try again in ${RETRY_AFTER_SECONDS} seconds.`;
  throw new ApiError('rate_limited', message, { retry_after: RETRY_AFTER_SECONDS });
}

async function findAccount(tx: Transaction, vault: string, provider: ProviderName) {
  await tx.$executeRaw`
    INSERT INTO billing.payment_account (vault_id, provider, id) VALUES (${vault}::uuid, ${provider}, ${newId()}::uuid)
    ON CONFLICT (vault_id, provider) DO NOTHING`;
  return tx.paymentAccount.findUniqueOrThrow({ where: { vaultId_provider: { vaultId: vault, provider } } });
}

/**
 * Deletes an attempt that the provider has refused. An earlier try of it, whose response was lost, may still have left a
 * card at the provider, so a job removes that.
 */
export async function abandonAttempt(tx: Transaction, { id, account }: Attempt): Promise<void> {
  await tx.cardAttempt.deleteMany({ where: { id } });
  const row = await tx.paymentAccount.findUnique({ where: { id: account.id } });
  if (row?.customer == null) return;
  await enqueueCardRemoval(tx, { provider: row.provider, customer: row.customer, attempt: id });
}
