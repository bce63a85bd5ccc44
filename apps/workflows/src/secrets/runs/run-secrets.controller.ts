import { createHmac, hkdfSync } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  findUndefinedVariables,
  maskSecrets,
  revealSecrets,
  type SecretDigests,
} from '@millrace/contracts/workflows/secrets';
import { sealFor } from '@millrace/messaging/crypto/sealed-box';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DataKeys } from '../keys/data-keys.js';
import { SecretMasker } from '../masking/secret-masker.js';
import { decryptValue, type VariableIdentity } from '../variables/encrypt-value.js';
import { joinDefinedVariables, listUndefinedKeys, listVariableKeys } from './requested-variables.js';
import { decryptRunValues, encryptRunValues, findRunValues, storeRunValues } from './run-variables.js';

/** Limits for the variables of one run, because `SecretMasker` searches texts for all of them. */
const MAX_VALUE_BYTES = 64 * 1024;
const MAX_VARIABLES = 200;

type RevealRequest = Input<typeof revealSecrets>['body'];

/** Operations of other services on the secret variables of a run. */
@Controller()
export class RunSecretsController {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
    private readonly masker: SecretMasker,
  ) {}

  /** Finds the variables that a run would lack, before it starts. */
  @OperationHandler(findUndefinedVariables)
  async findUndefined({ body }: Input<typeof findUndefinedVariables>): Promise<Result<typeof findUndefinedVariables>> {
    return { missing: await listUndefinedKeys(this.database.client, body) };
  }

  @OperationHandler(maskSecrets)
  async mask({ body }: Input<typeof maskSecrets>): Promise<Result<typeof maskSecrets>> {
    const { texts, ...variables } = body;
    return { texts: await this.masker.mask(texts, variables) };
  }

  /** Decrypts the values for a run and encrypts them for one worker. The runs service decides which worker may have them. */
  @OperationHandler(revealSecrets)
  async reveal({ body }: Input<typeof revealSecrets>): Promise<Result<typeof revealSecrets>> {
    // Retry, because a rotation may have finished after the rows were read and before the key file was.
    const { values, key: dataKey } = await this.loadValues(body).catch(() => this.loadValues(body));
    const plain = JSON.parse(values) as Record<string, string>;
    const missing = listVariableKeys(body).filter(({ key }) => !Object.hasOwn(plain, key));
    return {
      sealed: sealFor(body.recipient, values),
      missing: missing.map(({ key }) => key),
      digests: digestValues(dataKey, plain),
    };
  }

  /**
   * The run's values as JSON, and the vault's key. The first request stores the values that are defined then; later
   * requests of the run return the same.
   */
  private async loadValues(request: RevealRequest): Promise<{ values: string; key: Uint8Array }> {
    const { client } = this.database;
    const stored =
      (await findRunValues(client, request.run, request.vault)) ??
      (await this.database.transaction(async (tx) => {
        const key = await this.keys.acquire(tx, request.vault);
        const values = JSON.stringify(Object.fromEntries(await this.readDefined(tx, key, request)));
        await storeRunValues(tx, request.run, request.vault, encryptRunValues(key, values, request));
        return findRunValues(tx, request.run, request.vault);
      }));
    if (!stored) throw new Error(`The variables of run ${request.run} belong to another vault`);
    const key = this.keys.unwrap(stored);
    return { values: decryptRunValues(key, stored), key };
  }

  private async readDefined(tx: Transaction, key: Uint8Array, request: RevealRequest): Promise<Map<string, string>> {
    const found = new Map((await this.selectDefined(tx, request)).map((row) => [row.key, row]));
    // A vault variable may have several keys in a run; it is decrypted, and counts, once.
    const rows = new Map([...found.values()].map((row) => [row.id, row]));
    const values = new Map([...rows].map(([id, row]) => [id, decryptRow(key, row)]));
    const bytes = [...values.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    if (bytes > MAX_VALUE_BYTES)
      throw new ValidationError(
        {},
        `The secret variables of a run may have at most ${MAX_VALUE_BYTES} bytes together (got ${bytes}).`,
      );
    if (values.size > MAX_VARIABLES)
      throw new ValidationError({}, `A run may use at most ${MAX_VARIABLES} secret variables (got ${values.size}).`);
    return new Map([...found].map(([key, { id }]) => [key, values.get(id) ?? '']));
  }

  /** Orders the values of one key so that the strongest scope comes last. */
  private selectDefined(tx: Transaction, request: RevealRequest): Promise<Row[]> {
    return tx.$queryRaw`
      SELECT k.key, v.id, v.vault_id AS "vaultId", v.scope_type AS "scopeType", v.space_id AS "spaceId",
        v.user_id AS "userId", v.name, v.value
      FROM ${joinDefinedVariables(request)}
      ORDER BY array_position(ARRAY['user', 'vault', 'space'], v.scope_type)`;
  }
}

type Row = VariableIdentity & { key: string; id: string; value: Uint8Array };
function decryptRow(key: Uint8Array, row: VariableIdentity & { value: Uint8Array }): string {
  try {
    return decryptValue(key, row);
  } catch {
    throw new ValidationError({}, `The value of secret variable ${row.name} cannot be decrypted. Set it again.`);
  }
}

/**
 * Digests of a vault's values: equal for equal values, different in each vault, and useless without the vault's data
 * key. A new data key (`npm run secrets:rotate -- --data-keys`) changes all digests.
 * @param values by name
 */
function digestValues(dataKey: Uint8Array, values: Record<string, string>): SecretDigests {
  const key = Buffer.from(hkdfSync('sha256', dataKey, 'millrace', 'digests of values', 32));
  const digest = (kind: string, text: string) => createHmac('sha256', key).update(`${kind}\0${text}`).digest('hex');
  const digests = Object.entries(values).map(([name, value]) => [name, digest('value', value)]);
  return { salt: digest('salt', ''), values: Object.fromEntries(digests) as Record<string, string> };
}
