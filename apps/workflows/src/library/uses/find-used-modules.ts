import type { ModuleDefinition, ModuleType } from '@millrace/contracts/workflows/library';
import { suggestName } from '@millrace/graph/names/suggest-name';
import type { InvalidUse, UsedModule } from '@millrace/library/expand-uses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { FROM_MODULES, visibleTo } from '../module-row.js';

type Client = Pick<Transaction, '$queryRaw'>;

interface Candidate {
  id: string;
  name: string;
  slug: string;
  builtIn: boolean;
  available: boolean;
}

/** `isKnown`: the name exists, but it is ambiguous, or new nodes may not use the module. */
interface UnusableModule extends InvalidUse {
  isKnown: boolean;
}

/** Names that are compared to suggest a similar one. */
const MAX_SUGGESTION_NAMES = 5_000;

/** Names in requests may be of any length; messages quote the beginning. */
export const MAX_SHOWN_NAME_LENGTH = 255;

const describeUnknown = (uses: string): string =>
  `The library has no module "${uses.slice(0, MAX_SHOWN_NAME_LENGTH)}".`;

/** The name in lower case, with a hyphen for each run of other characters: "Port scan" is `port-scan`. */
const toSlug = (name: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`trim(BOTH '-' FROM regexp_replace(lower(${name}), '[^a-z0-9]+', '-', 'g'))`;
const SLUG = toSlug(Prisma.sql`m.name`);
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/**
 * Finds modules by id, name, or slug of the name, among the built-in ones and the vault's. An exact name takes
 * precedence over an equal slug.
 */
export async function findUsedModules(
  client: Client,
  uses: readonly string[],
  vault: string,
): Promise<Map<string, Candidate | UnusableModule>> {
  const candidates = await findCandidates(client, uses, vault);
  const found = new Map<string, Candidate | UnusableModule>();
  for (const name of uses) found.set(name, choose(name, candidates));
  const unknown = [...found].flatMap(([name, result]) => ('message' in result && !result.isKnown ? [name] : []));
  if (unknown.length > 0) await suggest(client, found, unknown, vault);
  return found;
}

/** A version of a module; without a number, the latest. */
export interface RequestedVersion {
  id: string;
  number?: number | undefined;
}

/** What a map of `loadModuleVersions` or `measureModuleVersions` has a version by. */
export const versionKey = ({ id, number }: RequestedVersion): string => `${id} ${number ?? 'latest'}`;

/** The content that nodes copy from modules. A version that does not exist is missing. */
export async function loadModuleVersions(
  client: Client,
  requested: readonly RequestedVersion[],
): Promise<Map<string, UsedModule>> {
  const rows = await selectVersions<{ definition: ModuleDefinition; id: string; name: string; type: ModuleType }>(
    client,
    requested,
    Prisma.sql`${CONTENT} AS definition, m.id::text AS id, m.name, m.type`,
  );
  return new Map(
    rows.map(({ key, number: version, definition, ...module }) => [key, { ...definition, ...module, version }]),
  );
}

/** Size in bytes of the content that nodes copy from modules, as JSON. A version that does not exist is missing. */
export async function measureModuleVersions(
  client: Client,
  requested: readonly RequestedVersion[],
): Promise<Map<string, number>> {
  const rows = await selectVersions<{ bytes: number }>(
    client,
    requested,
    Prisma.sql`octet_length((${CONTENT})::text) AS bytes`,
  );
  return new Map(rows.map(({ key, bytes }) => [key, bytes]));
}

/** The part of a definition that nodes copy. */
const CONTENT = Prisma.sql`v.definition - ARRAY['help', 'examples']`;

async function selectVersions<T>(
  client: Client,
  requested: readonly RequestedVersion[],
  fields: Prisma.Sql,
): Promise<(T & { key: string; number: number })[]> {
  if (requested.length === 0) return [];
  const keys = requested.map(versionKey);
  const ids = requested.map(({ id }) => id);
  const numbers = requested.map(({ number }) => number ?? null);
  return client.$queryRaw<(T & { key: string; number: number })[]>`
    SELECT requested.key, v.number, ${fields}
    FROM unnest(${keys}::text[], ${ids}::uuid[], ${numbers}::int[]) AS requested(key, id, number)
    JOIN workflows.library_module m ON m.id = requested.id
    JOIN workflows.library_module_version v ON v.module_id = m.id AND v.number = coalesce(requested.number, m.latest)`;
}

function findCandidates(client: Client, uses: readonly string[], vault: string): Promise<Candidate[]> {
  const ids = uses.filter(isId).map((id) => id.toLowerCase());
  const slugs = uses.map(slugOf).filter((slug) => slug !== '');
  return client.$queryRaw<Candidate[]>`
    SELECT m.id::text AS id, m.name, ${SLUG} AS slug, m.vault_id IS NULL AS "builtIn",
      (m.type <> 'MODULE' OR EXISTS (SELECT FROM workflows.snapshot s WHERE s.id = (v.definition->>'snapshot')::uuid)) AS available
    FROM ${FROM_MODULES}
    WHERE ${visibleTo(vault)} AND (m.id = ANY(${ids}::uuid[]) OR m.name = ANY(${[...uses]}::text[]) OR ${SLUG} = ANY(${slugs}::text[]))
    ORDER BY m.vault_id NULLS FIRST, m.created_at, m.id LIMIT 10000`;
}

function choose(uses: string, candidates: readonly Candidate[]): Candidate | UnusableModule {
  const byId = candidates.filter(({ id }) => id === uses.toLowerCase());
  const byName = candidates.filter(({ name }) => name === uses);
  const bySlug = candidates.filter(({ slug }) => slug !== '' && slug === slugOf(uses));
  const matches = [byId, byName, bySlug].find((group) => group.length > 0) ?? [];
  const [only] = matches;
  if (only === undefined) return { isKnown: false, message: describeUnknown(uses) };
  if (matches.length > 1) return explainAmbiguous(uses, matches);
  if (only.available) return only;
  return {
    message: `The workflow of the library module "${only.name}" is no longer published.`,
    hint: 'Publish it again.',
    isKnown: true,
  };
}

function explainAmbiguous(uses: string, matches: readonly Candidate[]): UnusableModule {
  const ids = matches
    .slice(0, 5)
    .map(({ id, name, builtIn }) => `${id} ("${name}", ${builtIn ? 'built in' : 'of this vault'})`);
  return {
    isKnown: true,
    message: `${matches.length} library modules are named "${uses.slice(0, MAX_SHOWN_NAME_LENGTH)}".`,
    hint: `Use the id of one of them: ${ids.join(', ')}.`,
  };
}

async function suggest(
  client: Client,
  found: Map<string, Candidate | UnusableModule>,
  unknown: readonly string[],
  vault: string,
): Promise<void> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT m.name FROM workflows.library_module m WHERE ${visibleTo(vault)} ORDER BY m.name LIMIT ${MAX_SUGGESTION_NAMES}`;
  const names = rows.map(({ name }) => name);
  // Each is held against thousands of names; an author corrects a few at a time.
  const explained = unknown.slice(0, 20);
  const published = await findPublished(client, explained, vault);
  for (const one of explained) {
    const workflow = published.find(({ name }) => name === one) ?? published.find(({ slug }) => slug === slugOf(one));
    const hint = workflow
      ? explainPublished(workflow)
      : (suggestName(one, names) ?? '`GET /library/module` lists the existing modules.');
    found.set(one, { isKnown: false, message: describeUnknown(one), hint });
  }
}

interface PublishedWorkflow {
  name: string;
  slug: string;
  workflow: string;
}

/** Snapshots of these names. Every member of the vault sees them. */
function findPublished(client: Client, uses: readonly string[], vault: string): Promise<PublishedWorkflow[]> {
  const slug = toSlug(Prisma.sql`s.name`);
  const slugs = uses.map(slugOf).filter((one) => one !== '');
  return client.$queryRaw<PublishedWorkflow[]>`
    SELECT s.name, ${slug} AS slug, s.workflow_id::text AS workflow FROM workflows.snapshot s
    WHERE s.vault_id = ${vault}::uuid AND (s.name = ANY(${[...uses]}::text[]) OR ${slug} = ANY(${slugs}::text[]))
    ORDER BY s.created_at DESC, s.id LIMIT 1000`;
}

const explainPublished = ({ name, workflow }: PublishedWorkflow): string =>
  `A workflow was published as ${JSON.stringify(name)}. To use it, add it as a module: \`POST /library/module\` with ${JSON.stringify({ name, workflow })}.`;
