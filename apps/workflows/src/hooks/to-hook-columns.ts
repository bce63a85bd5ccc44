import type { z } from 'zod';
import type { hookSettings } from '@millrace/contracts/workflows/hook-settings';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { DataKeys } from '../secrets/keys/data-keys.js';
import { encryptHookSecret, type HookIdentity } from './hook-secret.js';

type HookSettings = z.output<typeof hookSettings>;
type Columns = Pick<Prisma.HookUncheckedUpdateInput, 'payloadAs' | 'signature' | 'signatureSecret'>;

/** The columns that settings change. The secret is encrypted with the vault's data key. */
export async function toHookColumns(
  tx: Transaction,
  keys: DataKeys,
  { payload_as, signature }: HookSettings,
  hook: HookIdentity,
): Promise<Columns & { payloadAs?: string | null; signatureSecret?: Uint8Array<ArrayBuffer> | null }> {
  const payload = payload_as === undefined ? {} : { payloadAs: payload_as };
  if (signature === undefined) return payload;
  if (signature === null) return { ...payload, signature: Prisma.DbNull, signatureSecret: null };
  const { secret, ...settings } = signature;
  const key = await keys.acquire(tx, hook.vaultId);
  return { ...payload, signature: settings, signatureSecret: encryptHookSecret(key, secret, hook) };
}
