import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { maskSecrets } from '@millrace/contracts/workflows/secrets';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { DataKeys, type WrappedKey } from './data-keys.js';
import { decryptValue, type Place } from './encrypt-value.js';
import { maskTexts } from './mask-texts.js';

type Wanted = Input<typeof maskSecrets>['body'];
type Row = Place & WrappedKey & { value: Uint8Array };

/** Values up to this size are looked for by line as well. Larger ones only count for texts that they fit into. */
const MAX_BY_LINE_BYTES = 8 * 1024;

/** Masks secret values without giving any away. */
@Controller()
export class MaskController {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  @Handles(maskSecrets)
  async mask({ body }: Input<typeof maskSecrets>): Promise<Result<typeof maskSecrets>> {
    // A rotation may end between the reading of the rows and that of the key file.
    const values = await this.readValues(body).catch(() => this.readValues(body));
    return { texts: maskTexts(body.texts, values) };
  }

  private async readValues(wanted: Wanted): Promise<string[]> {
    const rows = await this.find(wanted);
    const [first] = rows;
    if (!first) return [];
    const key = this.keys.unwrap(first);
    return rows.flatMap((row) => {
      try {
        return [decryptValue(key, row)];
      } catch {
        // No run can have a value that does not open.
        return [];
      }
    });
  }

  private find({ vault, space, user, texts }: Wanted): Promise<Row[]> {
    const longest = Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
    return this.database.client.$queryRaw<Row[]>`
      SELECT s.id, s.vault_id AS "vaultId", s.scope_type AS "scopeType", s.space_id AS "spaceId", s.user_id AS "userId",
        s.name, s.value, k.vault_id AS vault, k.wrapped, k.master_key AS "masterKey"
      FROM workflows.secret_variable s JOIN workflows.data_key k ON k.vault_id = s.vault_id
      WHERE s.vault_id = ${vault}::uuid AND octet_length(s.value) <= ${Math.max(MAX_BY_LINE_BYTES, longest + 64)}::int
        AND (s.scope_type = 'vault' OR (s.scope_type = 'space' AND s.space_id = ${space}::uuid)
          OR (s.scope_type = 'user' AND s.user_id = ${user}::uuid))`;
  }
}
