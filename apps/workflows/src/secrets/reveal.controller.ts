import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import { Handles } from '@millrace/messaging/handles';
import { sealFor } from '@millrace/messaging/sealed-box';
import { Database } from '@millrace/persistence/database';
import { DataKeys, type WrappedKey } from './data-keys.js';
import { decryptValue, type Place } from './encrypt-value.js';

/**
 * Most bytes that the variables of one run may have together: they travel in one message, and each is looked for in all that
 * the run's steps print, in a dozen spellings.
 */
const MOST_BYTES = 256 * 1024;

type Found = Place & { value: Uint8Array; key: Uint8Array; masterKey: string };

/** Gives values away, to whom the runs service says, and encrypted to that worker alone. */
@Controller()
export class RevealController {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  @Handles(revealSecrets)
  async reveal({ body }: Input<typeof revealSecrets>): Promise<Result<typeof revealSecrets>> {
    // A rotation may have ended between the reading of the rows and that of the key file.
    const values = await this.read(body).catch(() => this.read(body));
    const bytes = [...values.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    if (bytes > MOST_BYTES)
      throw new ValidationError({}, `The secret variables of a run may have ${MOST_BYTES} bytes together`);
    const missing = body.names.filter((name) => !values.has(name));
    return { sealed: sealFor(body.recipient, JSON.stringify(Object.fromEntries(values))), missing };
  }

  /** By name; of several the strongest, which comes last. */
  private async read(wanted: Input<typeof revealSecrets>['body']): Promise<Map<string, string>> {
    return new Map((await this.find(wanted)).map((found) => [found.name, this.open(found)]));
  }

  /** Values with the key that they are under, as of one moment: a rotation changes both at once. */
  private find({ vault, space, user, names }: Input<typeof revealSecrets>['body']): Promise<Found[]> {
    return this.database.client.$queryRaw<Found[]>`
      SELECT v.id, v.vault_id AS "vaultId", v.scope_type AS "scopeType", v.space_id AS "spaceId", v.user_id AS "userId",
        v.name, v.value, k.wrapped AS key, k.master_key AS "masterKey"
      FROM workflows.secret_variable v JOIN workflows.data_key k ON k.vault_id = v.vault_id
      WHERE v.vault_id = ${vault}::uuid AND v.name = ANY(${names}::text[]) AND (v.scope_type = 'vault'
        OR (v.scope_type = 'space' AND v.space_id = ${space}::uuid)
        OR (v.scope_type = 'user' AND v.user_id = ${user}::uuid))
      ORDER BY array_position(ARRAY['vault', 'space', 'user'], v.scope_type)`;
  }

  private open({ key, masterKey, ...found }: Found): string {
    const wrapped: WrappedKey = { vault: found.vaultId, wrapped: key, masterKey };
    return decryptValue(this.keys.unwrap(wrapped), found);
  }
}
