import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { queryDatabase } from '../../support/query-database.js';
import type { Matrix } from '../matrix/start-matrix.js';
import type { Invariant } from './invariant.js';

/** All references to objects whose size is known, and all others. */
const REFERENCES = `
  SELECT 'an output of run ' || run_id AS owner, sha256, size::text FROM runs.output
  UNION ALL SELECT 'a masked output of run ' || run_id, shown_sha256, shown_size::text FROM runs.output WHERE shown_sha256 IS NOT NULL
  UNION ALL SELECT 'a log of run ' || run_id, log->>'sha256', log->>'size' FROM (
    SELECT run_id, stdout AS log FROM runs.subjob UNION ALL SELECT run_id, stderr FROM runs.subjob
    UNION ALL SELECT run_id, stdout FROM runs.attempt UNION ALL SELECT run_id, stderr FROM runs.attempt) AS l WHERE log IS NOT NULL
  UNION ALL SELECT 'a content of run ' || run_id, sha256, NULL FROM runs.content
  UNION ALL SELECT 'a file', sha256, size::text FROM workflows.file`;

interface Reference extends Record<string, unknown> {
  owner: string;
  sha256: string | null;
  size: string | null;
}

export const findWrongObjects: Invariant['find'] = async (matrix) => {
  const references = await queryDatabase<Reference>(matrix.system.database, REFERENCES);
  return [...findLost(matrix, references), ...(await findLeaked(matrix))].slice(0, 10);
};

function findLost({ system, intactObjects }: Matrix, references: readonly Reference[]): string[] {
  return references.flatMap(({ owner, sha256, size }) => {
    if (sha256 === null || intactObjects.has(sha256)) return [];
    const problem = findDamage(pathOf(system.folder, sha256), sha256, size);
    if (problem === null) intactObjects.add(sha256);
    return problem === null ? [] : [`${owner} (${sha256}) ${problem}`];
  });
}

/** As `DiskStore` has it: a folder for each two digits. */
const pathOf = (folder: string, sha256: string) => join(folder, 'objects', sha256.slice(0, 2), sha256.slice(2));

function findDamage(path: string, sha256: string, size: string | null): string | null {
  try {
    const content = readFileSync(path);
    if (size !== null && content.byteLength !== Number(size))
      return `has ${content.byteLength} bytes instead of ${size}`;
    return createHash('sha256').update(content).digest('hex') === sha256 ? null : 'has other bytes';
  } catch {
    return 'is missing';
  }
}

/** The search for objects without a record finds them when they are older than this. */
const SEARCHED_AFTER_MS = 60 * 60_000;

/**
 * Objects that nothing refers to, and that no one will delete. Those that a process left when it was killed are found by the
 * search for unknown objects, after an hour; `expireObjects` lets that hour pass.
 */
async function findLeaked({ system }: Matrix): Promise<string[]> {
  const objects = join(system.folder, 'objects');
  const old = readdirSync(objects)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((folder) => readdirSync(join(objects, folder)).map((name) => join(objects, folder, name)))
    .filter(
      (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > SEARCHED_AFTER_MS,
    );
  const hashes = old.map((path) => path.slice(objects.length).replaceAll('/', ''));
  if (hashes.length === 0) return [];
  const rows = await queryDatabase<{ sha256: string }>(
    system.database,
    `SELECT h AS sha256 FROM unnest($1::text[]) AS h WHERE h NOT IN (SELECT contents.find_references($1::text[]))
       AND NOT EXISTS (SELECT FROM contents.unused u WHERE u.sha256 = h AND u.state <> 'GONE')`,
    [hashes],
  );
  return rows.map(({ sha256 }) => `object ${sha256} is stored, and nothing refers to it`);
}
