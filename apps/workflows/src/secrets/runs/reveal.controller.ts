import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import { sealFor } from '@millrace/messaging/crypto/sealed-box';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DataKeys } from '../keys/data-keys.js';
import { decryptValue, type VariableIdentity } from '../variables/encrypt-value.js';
import { digestValues } from './digest-values.js';
import { joinDefinedVariables, listVariableKeys } from './requested-variables.js';
import { decryptRunValues, encryptRunValues, findRunValues, storeRunValues } from './run-variables.js';

/** Most bytes that the variables of one run may have together, and most variables: see `Masker`, which looks for them. */
const MAX_VALUE_BYTES = 64 * 1024;
const MAX_VARIABLES = 200;

type RevealRequest = Input<typeof revealSecrets>['body'];

/** Gives values away, to whom the runs service says, and encrypted to that worker alone. */
@Controller()
export class RevealController {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  @OperationHandler(revealSecrets)
  async reveal({ body }: Input<typeof revealSecrets>): Promise<Result<typeof revealSecrets>> {
    // A rotation may have ended between the reading of the rows and that of the key file.
    const { values, key: dataKey } = await this.valuesOf(body).catch(() => this.valuesOf(body));
    const plain = JSON.parse(values) as Record<string, string>;
    const missing = listVariableKeys(body).filter(({ key }) => !Object.hasOwn(plain, key));
    return {
      sealed: sealFor(body.recipient, values),
      missing: missing.map(({ key }) => key),
      digests: digestValues(dataKey, plain),
    };
  }

  /** As JSON: what the run was given before, else what is defined now, which it has from then on. And the vault's key. */
  private async valuesOf(wanted: RevealRequest): Promise<{ values: string; key: Uint8Array }> {
    const { client } = this.database;
    const kept =
      (await findRunValues(client, wanted.run, wanted.vault)) ??
      (await this.database.transaction(async (tx) => {
        const key = await this.keys.acquire(tx, wanted.vault);
        const values = JSON.stringify(Object.fromEntries(await this.read(tx, key, wanted)));
        await storeRunValues(tx, wanted.run, wanted.vault, encryptRunValues(key, values, wanted));
        return findRunValues(tx, wanted.run, wanted.vault);
      }));
    if (!kept) throw new Error(`The variables of run ${wanted.run} are another vault’s`);
    const key = this.keys.unwrap(kept);
    return { values: decryptRunValues(key, kept), key };
  }

  private async read(tx: Transaction, key: Uint8Array, wanted: RevealRequest): Promise<Map<string, string>> {
    const found = new Map((await this.find(tx, wanted)).map((row) => [row.key, row]));
    // A variable of the vault may be in several scopes of a run: it is opened, and counts, once.
    const rows = new Map([...found.values()].map((row) => [row.id, row]));
    const values = new Map([...rows].map(([id, row]) => [id, decryptRow(key, row)]));
    const bytes = [...values.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    if (bytes > MAX_VALUE_BYTES)
      throw new ValidationError({}, `the secret variables of a run may have ${MAX_VALUE_BYTES} bytes together`);
    if (values.size > MAX_VARIABLES) throw new ValidationError({}, `a run may have ${MAX_VARIABLES} secret variables`);
    return new Map([...found].map(([key, { id }]) => [key, values.get(id) ?? '']));
  }

  /** Of one key the strongest comes last. */
  private find(tx: Transaction, wanted: RevealRequest): Promise<Row[]> {
    return tx.$queryRaw`
      SELECT k.key, v.id, v.vault_id AS "vaultId", v.scope_type AS "scopeType", v.space_id AS "spaceId",
        v.user_id AS "userId", v.name, v.value
      FROM ${joinDefinedVariables(wanted)}
      ORDER BY array_position(ARRAY['user', 'vault', 'space'], v.scope_type)`;
  }
}

type Row = VariableIdentity & { key: string; id: string; value: Uint8Array };
function decryptRow(key: Uint8Array, row: VariableIdentity & { value: Uint8Array }): string {
  try {
    return decryptValue(key, row);
  } catch {
    throw new ValidationError({}, `the value of ${row.name} cannot be decrypted: give it a new one`);
  }
}
