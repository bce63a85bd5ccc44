import type { MillraceClient } from '@millrace/sdk/client';
import { library } from '@millrace/sdk/resources';
import type { FileData } from './workflow-file.js';

/** Types of inputs by name, by node: of nodes that `uses` a library module, whose file does not declare them. */
export type ModuleInputs = Record<string, Record<string, string>>;

/**
 * Looks up the inputs of library modules for the nodes that the user sets inputs of.
 * @param keys as the user wrote them; those of the form `<node>.<input>` matter
 */
export async function fetchModuleInputs(
  client: MillraceClient,
  data: FileData,
  keys: readonly string[],
): Promise<ModuleInputs> {
  const found: ModuleInputs = {};
  for (const [name, { type, uses }] of Object.entries(data.nodes)) {
    if (uses === undefined || type !== undefined || !keys.some((key) => key.startsWith(`${name}.`))) continue;
    const { inputs = [] } = await client.call(library.getModule, { params: { id: uses } });
    found[name] = Object.fromEntries(inputs.map((input) => [input.name, input.type]));
  }
  return found;
}
