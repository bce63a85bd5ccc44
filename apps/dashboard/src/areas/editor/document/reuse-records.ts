import { type Document, TABLES } from './document.js';
import { isEqual } from './is-equal.js';

/** The same document with the objects of another one where they are equal: comparisons by identity then find no difference. */
export function reuseRecords(document: Document, other: Document): Document {
  const tables = TABLES.map((table) => {
    const [records, known] = [document[table], other[table]] as [Record<string, unknown>, Record<string, unknown>];
    let isSame = Object.keys(records).length === Object.keys(known).length;
    const reused = Object.fromEntries(
      Object.entries(records).map(([key, record]) => {
        if (isEqual(record, known[key])) return [key, known[key]];
        isSame = false;
        return [key, record];
      }),
    );
    return [table, isSame ? known : reused];
  });
  return Object.fromEntries(tables) as Document;
}
