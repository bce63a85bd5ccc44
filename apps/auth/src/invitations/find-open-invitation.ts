import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { hashSecret } from '../secrets/random-token.js';
import { openInvitation } from './to-invitation.js';

/** Finds the open invitation of a link's token. @throws ApiError `expired_token` */
export async function findOpenInvitation(client: Pick<Transaction, 'invitation'>, token: string) {
  const where = { tokenHash: hashSecret(token), ...openInvitation() };
  const found = await client.invitation.findFirst({ where, include: { vault: true } });
  if (!found) throw notOpenError();
  return found;
}

export const notOpenError = (): ApiError =>
  new ApiError('expired_token', 'The invitation was used, revoked or has expired. Ask for a new one.');
