import type { Result } from '@millrace/contracts/kit/operation';
import type { createSecretVariable } from '@millrace/contracts/workflows/secrets';
import type { SecretVariable } from '@millrace/persistence/generated/client';

type SecretResult = Result<typeof createSecretVariable>;

/** Without the value. */
export const toSecret = (row: Omit<SecretVariable, 'value'>): SecretResult => ({
  id: row.id,
  name: row.name,
  scope_type: row.scopeType as SecretResult['scope_type'],
  ...(row.spaceId !== null && { space: row.spaceId }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
