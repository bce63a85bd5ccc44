import { MAX_NESTING } from '@millrace/graph/data/workflow-data';
import type { Transaction } from '@millrace/persistence/database';
import { findModuleVersions, type FoundVersion } from './find-module-versions.js';

export const MAX_MODULES = 100;

/** The workflow whose modules are resolved. */
export interface Container {
  /** What its WORKFLOW nodes name. */
  modules: readonly string[];
  space: string;
  /** Its version, if that is used as a pinned module of another space; absent: the workflow runs by itself. */
  pin?: string | undefined;
}

export interface ResolvedModule extends FoundVersion {
  /** The version whose moment counts for the modules inside this one; null: their latest versions count. */
  pin: string | null;
  /** The frozen modules inside it, by what its nodes name; null: there is no such version. */
  inside: Map<string, ResolvedModule | null>;
}

export interface ResolvedModules {
  /** By what is written in data that is not frozen; null: no such version, or the workflow may not name it. */
  written: Map<string, ResolvedModule | null>;
  /** Modules that a pin freezes, or that contain none; by version and pin. */
  frozen: Map<string, ResolvedModule>;
}

interface Reference {
  written: string;
  /** The module whose node names it; null: the workflow itself does. */
  parent: ResolvedModule | null;
  /** Space of what names it. */
  space: string;
  pin: string | null;
}

/**
 * Finds the versions that WORKFLOW nodes use, all the way down: by the id of a version, or of a workflow, whose latest
 * version counts. A pin across a space boundary freezes everything inside: ids of workflows lead to the latest version that
 * existed when the pinned version was saved. Otherwise the editors of the other space could change what this one runs.
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

/** Looks up each name once, however many modules contain it. */
async function findVersions(client: Pick<Transaction, '$queryRaw'>, vault: string, layer: readonly Reference[]) {
  const identity = ({ written, pin }: Reference): string => JSON.stringify([written, pin]);
  const names = new Map(layer.map((reference) => [identity(reference), reference]));
  const found = await findModuleVersions(client, vault, [...names.values()]);
  const versions = new Map([...names.keys()].map((name, at) => [name, found[at]]));
  return layer.map((reference) => versions.get(identity(reference)));
}

/** Gives the module if it is a new one, whose own modules are to be found yet. */
function add({ written, frozen }: ResolvedModules, reference: Reference, found?: FoundVersion): ResolvedModule | null {
  const { parent, written: name, space } = reference;
  const pin = found?.isVersionId && found.space !== space ? found.version : reference.pin;
  const isInside = parent !== null && pin !== null;
  // A version that is reached both frozen and not frozen is two modules, unless the workflow itself pins it and a module
  // that is not frozen names it by the same id. Then frozen counts for both, which is simple and safe: the workflow itself
  // comes first.
  if (!isInside && written.has(name)) return null;
  const identity = found && identify(found, pin);
  const known = isInside && identity !== undefined ? frozen.get(identity) : undefined;
  const module = known ?? (found ? { ...found, pin, inside: new Map<string, ResolvedModule | null>() } : null);
  if (isInside) parent.inside.set(name, module);
  else written.set(name, module);
  if (known || module === null) return null;
  if (identity !== undefined && !frozen.has(identity)) frozen.set(identity, module);
  return module;
}

/** A version without modules is the same under every pin. Undefined: its modules follow their latest versions. */
function identify({ version, modules }: FoundVersion, pin: string | null): string | undefined {
  if (modules.length === 0) return version;
  return pin === null ? undefined : `${version} ${pin}`;
}
