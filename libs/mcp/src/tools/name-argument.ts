import type { Operation } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';

export type Part = 'params' | 'query' | 'body';

/** Words of the contract for which tools, resources and the documentation have another one. */
const WORDS: Record<string, string> = { dataset: 'table' };

/** Names that clients accept for the fields of a tool. */
const ACCEPTED_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The records that a path can name by an id, such as `workflow`. */
const RECORDS = new Set(restOperations.flatMap(({ path }) => findRecord(path) ?? []));

/**
 * Names an argument of a tool so that one thing has one name in all tools, whatever the operation calls it: in snake case, and
 * `<record>_id` for the id of a record, because a model sees no path. The mark of the operation may name it otherwise.
 * @returns null if the tool does not have it
 */
export function nameArgument({ tool, path }: Operation, part: Part, key: string): string | null {
  const marked = tool?.arguments?.[key];
  if (marked !== undefined) return marked;
  const words = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  // A caller has one vault, and any other is refused.
  if (['vault', 'vault_id'].includes(words) || !ACCEPTED_NAME.test(words)) return null;
  const record = part === 'params' && words === 'id' ? (findRecord(path) ?? 'record') : readRecord(words);
  return record === undefined ? words : `${WORDS[record] ?? record}_id`;
}

/** `workflow` of `/workflows/{id}/runs` */
function findRecord(path: string): string | undefined {
  const name = /\/([a-z-]+)\/\{id\}/.exec(path)?.[1];
  return name?.replaceAll('-', '_').replace(/s$/, '');
}

function readRecord(words: string): string | undefined {
  if (words.endsWith('_id')) return words.slice(0, -'_id'.length);
  return RECORDS.has(words) ? words : undefined;
}
