import { ApiError, NotFound } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import type { loadForRun } from '@millrace/contracts/workflows/workflows';
import type { Transaction } from '@millrace/persistence/database';
import type { File } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { readPath } from './read-path.js';
import { toContent } from './to-file.js';

type Located = Result<typeof loadForRun>['files'];
type Row = Pick<File, 'path' | 'name' | 'sha256' | 'size'>;

/** The contents behind paths that a client gave, in their order; a path that leads nowhere has its problem instead. */
export async function locateFiles(
  client: Pick<Transaction, '$queryRaw'>,
  given: string[],
  caller: Caller,
): Promise<Located> {
  const paths = given.map(readOne);
  const good = paths.filter((path) => typeof path === 'string');
  const rows = good.length === 0 ? [] : await read(client, good, caller);
  const byPath = new Map(rows.map((row) => [row.path, row]));
  return paths.map((path) => {
    if (typeof path !== 'string') return path;
    const row = byPath.get(path);
    return row ? toContent(row) : { problem: new NotFound(`File "${path}"`).message };
  });
}

function readOne(path: string): string | { problem: string } {
  try {
    return readPath(path, 'files');
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}

const read = (client: Pick<Transaction, '$queryRaw'>, paths: string[], caller: Caller): Promise<Row[]> =>
  client.$queryRaw<Row[]>`
    SELECT path, name, sha256, size FROM workflows.file
    WHERE vault_id = ${inVault(caller).vaultId}::uuid AND path = ANY(${paths}::text[])`;
