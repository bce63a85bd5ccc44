import type { Input } from '@millrace/contracts/kit/operation';
import type { listModules as operation } from '@millrace/contracts/workflows/library';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { FROM_MODULES, LISTED_DEFINITION, MODULE_FIELDS, type ModuleRow, visibleTo } from './module-row.js';

type Query = Input<typeof operation>['query'];
type Words = NonNullable<ReturnType<typeof searchWords>>;

const COLUMNS: Record<string, Prisma.Sql> = {
  name: Prisma.sql`m.name`,
  type: Prisma.sql`m.type`,
  category: Prisma.sql`m.category`,
  created_date: Prisma.sql`m.created_at`,
  modified_date: Prisma.sql`m.modified_at`,
};

/** Characters that separate words, also in names such as `csv-to-json`. ASCII, so that Postgres and this file agree. */
const PUNCTUATION = `-_/.,:;|+&@#!?()[]{}<>=*'"\`~^%$\\`;

const separator = new RegExp(`[\\s${PUNCTUATION.replace(/[\\\]^-]/g, '\\$&')}]+`, 'u');

/**
 * A page of the library, ordered by best match if there is a search, else by name. Texts are read at each search and
 * not indexed: a vault sees hundreds of modules, at some 20 µs each.
 */
export async function findModulePage(
  client: Pick<Transaction, '$queryRaw'>,
  query: Query,
  vault: string,
): Promise<{ rows: ModuleRow[]; count: number }> {
  const words = query.search === '' ? null : searchWords(query.search);
  if (words === null && query.search !== '') return { rows: [], count: 0 };
  const where = Prisma.join(conditions(query, vault, words), ' AND ');
  const [rows, counted] = await Promise.all([
    client.$queryRaw<ModuleRow[]>`
      SELECT ${MODULE_FIELDS}, ${LISTED_DEFINITION} AS definition
      FROM ${FROM_MODULES} WHERE ${where} ORDER BY ${Prisma.join(orders(query, words))}
      LIMIT ${query.page_size} OFFSET ${(query.page - 1) * query.page_size}`,
    client.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM workflows.library_module m WHERE ${where}`,
  ]);
  return { rows, count: counted[0]?.count ?? 0 };
}

function conditions({ type, category, built_in }: Query, vault: string, words: Words | null): Prisma.Sql[] {
  return [
    visibleTo(vault),
    ...(type === undefined ? [] : [Prisma.sql`m.type = ${type}`]),
    ...(category === undefined ? [] : [Prisma.sql`m.category = ${category}`]),
    ...(built_in === undefined ? [] : [Prisma.sql`(m.vault_id IS NULL) = ${built_in}`]),
    ...(words === null ? [] : [Prisma.sql`${TEXT} @@ ${words.all}::tsquery`]),
  ];
}

/** Breaks ties by id, so that pages never overlap. */
function orders({ ordering, search }: Query, words: Words | null): Prisma.Sql[] {
  const requested = ordering.map(({ field, descending }) => {
    const column = COLUMNS[field] ?? Prisma.sql`m.name`;
    return descending ? Prisma.sql`${column} DESC NULLS LAST` : Prisma.sql`${column} ASC NULLS LAST`;
  });
  if (requested.length > 0) return [...requested, Prisma.sql`m.id`];
  const byMatch = [
    Prisma.sql`lower(m.name) = ${search.trim().toLowerCase()} DESC`,
    Prisma.sql`${rank(words?.any ?? '')} DESC`,
  ];
  return [...(words === null ? [] : byMatch), Prisma.sql`m.name`, Prisma.sql`m.id`];
}

/** A word in the name outweighs any number of words in the category, and so on. The weights belong to D, C, B and A. */
const rank = (any: string): Prisma.Sql =>
  Prisma.sql`ts_rank(ARRAY[0, 0.0001, 0.01, 1]::real[], ${TEXT}, ${any}::tsquery)`;

const words = (column: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`to_tsvector('simple', translate(coalesce(${column}, ''), ${PUNCTUATION}, ${' '.repeat(PUNCTUATION.length)}))`;

const TEXT = Prisma.sql`(setweight(${words(Prisma.sql`m.name`)}, 'A') || setweight(${words(Prisma.sql`m.category`)}, 'B')
  || setweight(${words(Prisma.sql`m.description`)}, 'C'))`;

/**
 * The words of a search as full-text queries of Postgres (manual, 8.11.2). A record must match `all` and is ranked by
 * `any`. A word matches by its beginning. Null if the search contains no word.
 */
export function searchWords(search: string): { all: string; any: string } | null {
  const words = search
    .toLowerCase()
    .split(separator)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const terms = words.map((word) => `'${word}':*`);
  return { all: terms.join(' & '), any: terms.join(' | ') };
}
