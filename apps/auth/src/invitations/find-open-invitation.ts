import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { hashSecret } from '../secrets/hash-secret.js';
import { isOpen } from './to-invitation.js';

/** The invitation that a link leads to, by its secret. @throws ApiError `expired_token` */
export async function findOpenInvitation(client: Pick<Transaction, 'invitation'>, token: string) {
  const where = { tokenHash: hashSecret(token), ...isOpen() };
  const found = await client.invitation.findFirst({ where, include: { vault: true } });
  if (!found) throw notOpen();
  return found;
}

export const notOpen = (): ApiError =>
  new ApiError('expired_token', 'The invitation was used, taken back or is over; ask for another one');
