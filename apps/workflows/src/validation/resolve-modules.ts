import { MAX_NESTING } from '@millrace/graph/data/workflow-data';
import type { Transaction } from '@millrace/persistence/database';
import { findModuleVersions, type FoundVersion } from './find-module-versions.js';

export const MAX_MODULES = 100;

/** The workflow whose modules are resolved. */
export interface Container {
  /** What its WORKFLOW nodes name. */
  modules: readonly string[];
  space: string;
  /**
   * Set to the workflow's version if that version is a pinned module of another space; absent if the workflow runs by
   * itself.
   */
  pin?: string | undefined;
}

export interface ResolvedModule extends FoundVersion {
  /**
   * The version whose save time determines the versions of the modules inside this one; null if their latest versions
   * count.
   */
  pin: string | null;
  /** The frozen modules inside it, by the names that its nodes use; null for a version that does not exist. */
  inside: Map<string, ResolvedModule | null>;
}

export interface ResolvedModules {
  /** By the names in data that is not frozen; null for a missing version, or one that the workflow may not name. */
  written: Map<string, ResolvedModule | null>;
  /** Modules that a pin freezes, or that contain none; by version and pin. */
  frozen: Map<string, ResolvedModule>;
}

interface Reference {
  written: string;
  /** The module whose node has the reference; null if the workflow itself has it. */
  parent: ResolvedModule | null;
  /** Space of the workflow or module that has the reference. */
  space: string;
  pin: string | null;
}

/**
 * Finds the versions that WORKFLOW nodes use, at all levels. A node names a version, or a workflow whose latest version
 * counts. A pin across a space boundary freezes everything inside: ids of workflows then lead to the latest version at
 * the time when the pinned version was saved. Otherwise the editors of the other space could change what this one runs.
 * @returns null if more than `MAX_MODULES` are named
 */
export async function resolveModules(
  client: Pick<Transaction, '$queryRaw'>,
  vault: string,
  { modules, space, pin }: Container,
  mayUse: (space: string, key: string) => boolean,
): Promise<ResolvedModules | null> {
  const resolved: ResolvedModules = { written: new Map(), frozen: new Map() };
  const names = new Set<string>();
  let layer: Reference[] = modules.map((written) => ({ written, parent: null, space, pin: pin ?? null }));
  for (let depth = 0; depth <= MAX_NESTING && layer.length > 0; depth++) {
    for (const { written } of layer) names.add(written);
    if (names.size > MAX_MODULES) return null;
    const found = await findVersions(client, vault, layer);
    const fresh = layer.flatMap((reference, at) => {
      const version = found[at];
      const isOpen =
        reference.parent !== null || version?.isPublished || mayUse(version?.space ?? '', reference.written);
      return add(resolved, reference, isOpen ? version : undefined) ?? [];
    });
    layer = fresh.flatMap((module) =>
      module.modules.map((written) => ({ written, parent: module, space: module.space, pin: module.pin })),
    );
  }
  return resolved;
}

/** Looks up each name once, even if several modules contain it. */
async function findVersions(client: Pick<Transaction, '$queryRaw'>, vault: string, layer: readonly Reference[]) {
  const identity = ({ written, pin }: Reference): string => JSON.stringify([written, pin]);
  const names = new Map(layer.map((reference) => [identity(reference), reference]));
  const found = await findModuleVersions(client, vault, [...names.values()]);
  const versions = new Map([...names.keys()].map((name, at) => [name, found[at]]));
  return layer.map((reference) => versions.get(identity(reference)));
}

/** Records a module. @returns the module if it is new and its own modules are yet to be found */
function add({ written, frozen }: ResolvedModules, reference: Reference, found?: FoundVersion): ResolvedModule | null {
  const { parent, written: name, space } = reference;
  const pin = found?.isVersionId && found.space !== space ? found.version : reference.pin;
  const isInside = parent !== null && pin !== null;
  // A version that is reached both frozen and not frozen is two modules. The exception: the workflow itself pins it and a
  // module that is not frozen names it by the same id. The frozen one then counts for both, which is simple and safe,
  // because the workflow's own references come first.
  if (!isInside && written.has(name)) return null;
  const identity = found && identify(found, pin);
  const existing = isInside && identity !== undefined ? frozen.get(identity) : undefined;
  const module = existing ?? (found ? { ...found, pin, inside: new Map<string, ResolvedModule | null>() } : null);
  if (isInside) parent.inside.set(name, module);
  else written.set(name, module);
  if (existing || module === null) return null;
  if (identity !== undefined && !frozen.has(identity)) frozen.set(identity, module);
  return module;
}

/** A version without modules is the same under every pin. Undefined if its modules follow their latest versions. */
function identify({ version, modules }: FoundVersion, pin: string | null): string | undefined {
  if (modules.length === 0) return version;
  return pin === null ? undefined : `${version} ${pin}`;
}
