import type { Database } from '@millrace/persistence/database';
import type { Prisma, Run } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';

type Client = Database['client'];

/** Adds a row that refers to a content. @returns a function that deletes the row, or what it belongs to */
type AddReference = (client: Client, sha256: string) => Promise<() => Promise<unknown>>;

const OTHER = 'f'.repeat(64);
const logOf = (sha256: string) => ({ sha256, size: 7, truncated: false });

const addRun = async (client: Client, more: Partial<Prisma.RunCreateInput> = {}): Promise<Run> =>
  client.run.create({
    data: {
      ...{ vaultId: newId(), name: 'r', status: 'RUNNING', creationType: 'MANUAL', workflowId: newId() },
      ...{ workflowName: 'w', versionId: newId(), spaceId: newId(), spaceName: 's', author: newId(), plan: OTHER },
      ...{ inputs: {}, parallelism: 1, openSegments: 1, ...more },
    },
  });

/** Adds to a run of its own, and deletes the run. */
const inRun =
  (add: (client: Client, run: bigint, sha256: string) => Promise<unknown>): AddReference =>
  async (client, sha256) => {
    const { id } = await addRun(client);
    await add(client, id, sha256);
    return () => client.run.delete({ where: { id } });
  };

const asRun =
  (describeRun: (sha256: string) => Partial<Prisma.RunCreateInput>): AddReference =>
  async (client, sha256) => {
    const { id } = await addRun(client, describeRun(sha256));
    return () => client.run.delete({ where: { id } });
  };

const outputOf = (run: bigint, content: { sha256: string; shownSha256?: string }) => ({
  ...{ id: newId(), runId: run, subjobId: 1n, step: 0, task: 0, node: 'a', label: 'a', path: 'x', size: 7n },
  ...content,
});

const addSubjob = (client: Client, run: bigint, stream: 'stdout' | 'stderr', sha256: string) =>
  client.subjob
    .create({ data: { runId: run, step: 0, task: 0, node: 'a', label: 'a', status: 'RUNNING' } })
    .then(({ id }) => client.subjob.update({ where: { id }, data: { [stream]: logOf(sha256) } }));

const addAttempt = (client: Client, run: bigint, stream: 'stdout' | 'stderr', sha256: string) =>
  client.attempt.create({
    data: { runId: run, subjobId: 1n, attempt: 1, status: 'FAILED', [stream]: logOf(sha256) },
  });

const addSplit = (client: Client, run: bigint, split: Prisma.InputJsonValue) =>
  client.runSegment
    .create({ data: { runId: run, segment: 0 } })
    .then(() => client.runSegment.updateMany({ where: { runId: run }, data: { split } }));

/** A load that has to read one part. */
async function addLoad(client: Client, sha256: string): Promise<bigint> {
  const place = { vaultId: newId(), spaceId: newId(), author: newId(), name: 'x' };
  const solution = await client.solution.create({ data: { id: newId(), ...place } });
  const dataset = await client.dataset.create({ data: { id: newId(), ...place, solutionId: solution.id } });
  const { id } = await client.load.create({
    data: { datasetId: dataset.id, vaultId: place.vaultId, source: 0, status: 'READING' },
  });
  await client.loadPart.create({ data: { loadId: id, batch: 1n, sha256, size: 7n, status: 'PENDING' } });
  return id;
}

/** Every way in which a row refers to a content. */
export const REFERENCES: Record<string, AddReference> = {
  'an output': inRun((client, run, sha256) => client.output.create({ data: outputOf(run, { sha256 }) })),
  'the masked copy of an output': inRun((client, run, sha256) =>
    client.output.create({ data: outputOf(run, { sha256: OTHER, shownSha256: sha256 }) }),
  ),
  'the stdout of a subjob': inRun((client, run, sha256) => addSubjob(client, run, 'stdout', sha256)),
  'the stderr of a subjob': inRun((client, run, sha256) => addSubjob(client, run, 'stderr', sha256)),
  'the stdout of an attempt': inRun((client, run, sha256) => addAttempt(client, run, 'stdout', sha256)),
  'the stderr of an attempt': inRun((client, run, sha256) => addAttempt(client, run, 'stderr', sha256)),
  'a plan': asRun((plan) => ({ plan })),
  'a file among inputs': asRun((sha256) => ({ inputs: { 'file-1': { path: 'x', sha256, size: 7 } } })),
  'a file in a folder among inputs': asRun((sha256) => ({
    inputs: { 'folder-1': { folder: { files: [{ path: 'x', sha256, size: 7 }] } } },
  })),
  'the list of a long folder among inputs': asRun((manifest) => ({
    inputs: { 'folder-1': { folder: { manifest, count: 200 } } },
  })),
  'a fetched input': inRun((client, id, sha256) =>
    client.run.update({ where: { id }, data: { inputs: { 'file-1': { path: 'x', sha256, size: 7 } } } }),
  ),
  'the items of a split': inRun((client, run, items) => addSplit(client, run, { items, index: OTHER, count: 1 })),
  'the index of a split': inRun((client, run, index) => addSplit(client, run, { items: OTHER, index, count: 1 })),
  'the list of a cached result': inRun((client, run, manifest) =>
    client.cacheEntry.create({
      data: { spaceId: newId(), key: manifest, runId: run, subjobId: 1n, outputs: { manifest, count: 200 } },
    }),
  ),
  'a file of a sandbox': async (client, sha256) => {
    const workspace = { id: newId(), vaultId: newId(), userId: newId(), scope: 'agent x' };
    await client.sandboxWorkspace.create({ data: workspace });
    const entry = { workspaceId: workspace.id, path: 'x', kind: 'file', size: 7, executable: false };
    await client.sandboxEntry.create({ data: { ...entry, sha256 } });
    return () => client.sandboxWorkspace.delete({ where: { id: workspace.id } });
  },
  'a stored file': async (client, sha256) => {
    const file = { id: newId(), vaultId: newId(), path: 'x', name: 'x', folder: '', size: 7n, author: newId() };
    await client.file.create({ data: { ...file, sha256 } });
    return () => client.file.delete({ where: { id: file.id } });
  },
  'a part of a load': async (client, sha256) => {
    const id = await addLoad(client, sha256);
    return () => client.load.delete({ where: { id } });
  },
  'a part of a load, until it is completed': async (client, sha256) => {
    const id = await addLoad(client, sha256);
    return () => client.load.update({ where: { id }, data: { status: 'COMPLETED' } });
  },
};
