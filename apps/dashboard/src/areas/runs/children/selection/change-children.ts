import type { Subjob } from '@millrace/client';
import { client } from '../../../../api/client.js';
import { countOf } from '../../../../text/format-count.js';
import { idsOfChildren } from '../load-children.js';
import type { Verb } from './choose-children.js';

/** Requests at the same time. Each locks the run, so more would only wait. */
const PARALLEL = 4;

/**
 * Retries, stops or skips children by their numbers.
 * @param onProgress called with the number of children that are done
 * @throws the first error, after the other requests; it says how many children were changed
 */
export async function changeChildren(
  group: Subjob,
  verb: Verb,
  indexes: readonly number[],
  onProgress: (done: number) => void,
): Promise<void> {
  const ids = await idsOfChildren(group, indexes);
  if (verb === 'retry') {
    await client.runs.retry(group.run, { children: ids });
    return;
  }
  const failures: unknown[] = [];
  let done = 0;
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) {
      try {
        await (verb === 'stop' ? client.subjobs.stop(group.run, id) : client.subjobs.skip(group.run, id, {}));
        onProgress(++done);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  const [first] = failures;
  if (first === undefined) return;
  const reason = first instanceof Error ? first.message : 'the request failed';
  throw new Error(`${countOf(failures.length, 'child', 'children')} of ${ids.length} not changed: ${reason}`, {
    cause: first,
  });
}
