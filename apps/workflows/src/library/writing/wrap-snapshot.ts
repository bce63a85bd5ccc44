import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { ModuleDefinition } from '@millrace/contracts/workflows/library';
import { describeModulePorts, type ModulePorts } from '@millrace/graph/connect/describe-module-ports';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { loadModules } from '../../validation/load-modules.js';
import type { ModuleInput } from './read-module.js';

/**
 * What a MODULE holds: the version that a snapshot published, with the ports that it has as a module. What is published
 * is everybody's in the vault, so no role in its space is asked. Other spaces use it with the modules that it had when it
 * was saved, so those decide on the ports.
 * @throws ValidationError
 */
export async function wrapSnapshot(
  tx: Transaction,
  vaultId: string,
  wraps: NonNullable<ModuleInput['wraps']>,
): Promise<ModuleDefinition> {
  const found = await findSnapshot(tx, vaultId, wraps);
  const field = `body.${Object.keys(wraps).join()}`;
  if (!found) throw new ValidationError({ [field]: 'is not published in this vault' });
  const data = JSON.parse(found.version.data) as unknown;
  const { modules, problem } = await loadModules(tx, vaultId, {
    data,
    space: found.workflow.spaceId,
    pin: found.versionId,
  });
  const { inputs, outputs, problems } = describeModulePorts(data, modules);
  const wrong = problem ?? problems[0];
  if (wrong) {
    const errors = problem ? [problem] : problems;
    throw new ValidationError({ [field]: `its workflow is not valid: ${wrong.message}`, errors });
  }
  return {
    workflow: found.workflowId,
    snapshot: found.id,
    workflow_version_info: found.versionId,
    inputs: inputs.map(toInput),
    outputs: outputs.map((output, at) => ({ ...output, order: at + 1 })),
  };
}

function findSnapshot(tx: Transaction, vaultId: string, wraps: NonNullable<ModuleInput['wraps']>) {
  const [key, id] = 'snapshot' in wraps ? ['id', wraps.snapshot] : ['workflowId', wraps.workflow];
  if (!isId(id)) return null;
  return tx.snapshot.findFirst({
    where: { vaultId, [key]: id },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: {
      id: true,
      workflowId: true,
      versionId: true,
      version: { select: { data: true } },
      workflow: { select: { spaceId: true } },
    },
  });
}

const toInput = ({ name, type, value }: ModulePorts['inputs'][number], at: number) => ({
  name,
  type,
  order: at + 1,
  ...(value === null ? { required: true } : { value }),
});
