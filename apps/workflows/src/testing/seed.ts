import type { z } from 'zod';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Operation, Request } from '@millrace/contracts/kit/operation';
import { createProject } from '@millrace/contracts/workflows/projects';
import { createSpace } from '@millrace/contracts/workflows/spaces';
import { uploadFile } from '@millrace/contracts/workflows/storage';
import { saveVersion } from '@millrace/contracts/workflows/versions';
import { createWorkflow } from '@millrace/contracts/workflows/workflows';

type CallAs = <O extends Operation>(
  caller: Caller,
  operation: O,
  request?: Partial<Request<O>>,
) => Promise<z.output<O['response']>>;

type Data = Request<typeof saveVersion>['body']['data'];

type Body<O extends Operation> = Partial<Request<O>['body']>;

/** Creates records through the service's own operations, as one caller. */
export function seedAs(call: CallAs, caller: Caller) {
  const space = (body: Body<typeof createSpace> = {}) =>
    call(caller, createSpace, { body: { name: 'Space', ...body } });
  /** The space of all workflows that name none, so that they can be modules of each other. */
  let home: ReturnType<typeof space> | undefined;
  const workflow = async (body: Body<typeof createWorkflow> = {}, spaceId?: string) =>
    call(caller, createWorkflow, {
      params: { spaceId: spaceId ?? (await (home ??= space())).id },
      body: { name: 'Workflow', ...body },
    });
  const version = (id: string, data: object = chainOf(1), options: object = {}) =>
    call(caller, saveVersion, { params: { id }, body: { data: data as Data, ...options } });
  return {
    space,
    workflow,
    version,
    project: (spaceId: string, body: Body<typeof createProject> = {}) =>
      call(caller, createProject, { params: { spaceId }, body: { name: 'Project', ...body } }),
    /** A workflow with one version of this data. */
    saved: async (data: object = chainOf(1), spaceId?: string) => {
      const { id } = await workflow({}, spaceId);
      return { id, version: await version(id, data) };
    },
    file: (path: string, content = 'a') =>
      call(caller, uploadFile, { body: { path, size: content.length, sha256: content.repeat(64).slice(0, 64) } }),
  };
}

export const script = (name: string, source = 'cat in/*/*') => ({
  [name]: { name, type: 'SCRIPT', script_type: 'bash', script: { source }, inputs: {} },
});

export const moduleNode = (name: string, workflow: string) => ({ [name]: { name, type: 'WORKFLOW', workflow } });

export const edge = (source: string, destination: string) => ({
  source: { id: `output/${source}` },
  destination: { id: `input/${destination}` },
});

/** Scripts `step-1` to `step-<length>`; each reads the output of the previous one. */
export function chainOf(length: number, source?: string) {
  const numbers = Array.from({ length }, (_, index) => index + 1);
  return {
    nodes: Object.assign({}, ...numbers.map((at) => script(`step-${at}`, source))) as Record<string, object>,
    connections: numbers.slice(1).map((at) => edge(`step-${at - 1}/file`, `step-${at}/file`)),
  };
}
