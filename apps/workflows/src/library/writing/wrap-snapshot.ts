import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { ModuleDefinition } from '@millrace/contracts/workflows/library';
import { describeModulePorts, type ModulePorts } from '@millrace/graph/connect/describe-module-ports';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { loadModules } from '../../validation/load-modules.js';
import type { ModuleInput } from './read-module.js';

/**
 * The definition of a MODULE: the version that a snapshot published, with its ports as a module. Everybody in the vault
 * may use published versions, so no role in the space is required. Other spaces use the version with the modules that
 * it had when it was saved, so those determine the ports.
 * @throws ValidationError
 */
export async function wrapSnapshot(
  tx: Transaction,
  vaultId: string,
  wraps: NonNullable<ModuleInput['wraps']>,
): Promise<ModuleDefinition> {
  const found = await findSnapshot(tx, vaultId, wraps);
  const field = `body.${Object.keys(wraps).join()}`;
  if (!found) throw new ValidationError({ [field]: 'must be published in this vault' });
  const data = JSON.parse(found.version.data) as unknown;
  const { modules, problem } = await loadModules(tx, vaultId, {
    data,
    space: found.workflow.spaceId,
    pin: found.versionId,
  });
  const { inputs, outputs, problems } = describeModulePorts(data, modules);
  const firstProblem = problem ?? problems[0];
  if (firstProblem) {
    const errors = problem ? [problem] : problems;
    throw new ValidationError({ [field]: `must have a valid workflow: ${firstProblem.message}`, errors });
  }
  return {
    workflow: found.workflowId,
    snapshot: found.id,
    workflow_version_info: found.versionId,
    inputs: inputs.map(toInput),
    outputs: outputs.map((output, index) => ({ ...output, order: index + 1 })),
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

const toInput = ({ name, type, value }: ModulePorts['inputs'][number], index: number) => ({
  name,
  type,
  order: index + 1,
  ...(value === null ? { required: true } : { value }),
});
