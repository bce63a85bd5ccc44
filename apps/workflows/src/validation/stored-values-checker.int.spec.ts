import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findReadableOutputs } from '@millrace/contracts/runs/outputs';
import { copyWorkflow, importWorkflow, moveWorkflow } from '@millrace/contracts/workflows/exchange';
import { createSnapshot, restoreSnapshot } from '@millrace/contracts/workflows/snapshots';
import { restoreVersion } from '@millrace/contracts/workflows/versions';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, moduleNode } from '../testing/seed.js';

let system: System;
/** Outputs by the user who may read them. */
const readers = new Map<string, string>();
beforeAll(async () => {
  system = await startApps([start]);
  (await system.fake('runs')).on(findReadableOutputs, ({ body, caller }) => ({
    readable: (body as { outputs: string[] }).outputs.filter((id) => readers.get(id) === caller?.user),
  }));
});
afterAll(() => system.close());

const reading = (url: string) => ({ ...chainOf(1), primitiveNodes: { p: { type: 'FILE', label: 'p', value: url } } });

async function seeded() {
  const owner = ownerCaller();
  const seed = seedAs(system.callAs, owner);
  const [space, other] = [(await seed.space()).id, (await seed.space()).id];
  const editor = memberCaller(owner, { [space]: 'write', [other]: 'write' });
  const output = newId();
  readers.set(output, owner.user);
  const mine = await seed.saved(reading(`millrace://output/${output}`), space);
  return { owner, editor, seed, space, other, output, mine };
}

const refused = (place: string, text = 'may not read') => ({
  code: 'validation_error',
  details: { [place]: expect.stringContaining(text) },
});

describe('a default that names an output or a file', () => {
  it('can be saved by users who may read it, and by no others', async () => {
    const { editor, seed, output, mine } = await seeded();
    const by = seedAs(system.callAs, editor);
    const data = { ...reading(`millrace://output/${output}`), config: { changed: true } };
    const place = 'body.data.primitiveNodes.p.value';
    await expect(by.version(mine.id, data)).rejects.toMatchObject(refused(place, '"p"'));
    expect(await seed.version(mine.id, data)).toMatchObject({ number: 2 });
  });

  it('causes the same message whether it is missing or unreadable', async () => {
    const { editor, mine, output } = await seeded();
    const by = seedAs(system.callAs, editor);
    const messages = await Promise.all(
      [output, newId()].map((id) =>
        by
          .version(mine.id, reading(`millrace://output/${id}`))
          .catch((error: { details: Record<string, string> }) =>
            error.details['body.data.primitiveNodes.p.value']?.replace(id, 'ID'),
          ),
      ),
    );
    expect(messages[0]).toBe(messages[1]);
  });

  it('is checked on nodes, and on modules with any written type', async () => {
    const { editor, seed, mine, output, space } = await seeded();
    const by = seedAs(system.callAs, editor);
    const value = `millrace://output/${output}`;
    const script = { ...chainOf(1).nodes['step-1'], inputs: { f: { type: 'FILE', value } } };
    await expect(by.version(mine.id, { nodes: { 'step-1': script } })).rejects.toMatchObject(
      refused('body.data.nodes.step-1.inputs.f.value'),
    );
    const inner = await seed.saved({ ...chainOf(1), primitiveNodes: { p: { type: 'FILE', label: 'p' } } }, space);
    const module = { ...moduleNode('m-1', inner.id)['m-1'], inputs: { p: { type: 'STRING', value } } };
    await expect(by.version(mine.id, { nodes: { 'm-1': module } })).rejects.toMatchObject(
      refused('body.data.nodes.m-1.inputs.p.value'),
    );
    const text = { ...chainOf(1), primitiveNodes: { p: { type: 'STRING', label: 'p', value } } };
    expect(await by.version(mine.id, text)).toMatchObject({ number: 2 });
  });

  it('must be a stored file or folder of the vault', async () => {
    const { seed, mine } = await seeded();
    await expect(seed.version(mine.id, reading('millrace://file/data/list.txt'))).rejects.toMatchObject(
      refused('body.data.primitiveNodes.p.value'),
    );
    await seed.file('data/list.txt');
    expect(await seed.version(mine.id, reading('millrace://file/data/list.txt'))).toMatchObject({ number: 2 });
    const folder = {
      ...chainOf(1),
      primitiveNodes: { p: { type: 'FOLDER', label: 'p', value: 'millrace://file/data/' } },
    };
    expect(await seed.version(mine.id, folder)).toMatchObject({ number: 3 });
  });

  it('is checked again when the workflow is imported, copied, moved or restored', async () => {
    const { owner, editor, seed, space, other, output, mine } = await seeded();
    const data = reading(`millrace://output/${output}`);
    const imported = system.callAs(editor, importWorkflow, {
      query: { space },
      body: { millrace: 1, name: 'In', data },
    });
    await expect(imported).rejects.toMatchObject(refused('body.data.primitiveNodes.p.value'));
    const params = { id: mine.id };
    await expect(system.callAs(editor, copyWorkflow, { params, body: { space: other } })).rejects.toMatchObject(
      refused('params.id'),
    );
    await expect(system.callAs(editor, moveWorkflow, { params, body: { space: other } })).rejects.toMatchObject(
      refused('params.id'),
    );
    const body = { workflow_version_info: mine.version.id };
    const snapshot = await system.callAs(owner, createSnapshot, { params, body });
    await seed.version(mine.id, chainOf(2));
    const earlier = { params: { id: mine.id, versionId: mine.version.id } };
    await expect(system.callAs(editor, restoreVersion, earlier)).rejects.toMatchObject(refused('params.versionId'));
    const published = { params: { id: mine.id, snapshotId: snapshot.id } };
    await expect(system.callAs(editor, restoreSnapshot, published)).rejects.toMatchObject(refused('params.snapshotId'));
    expect(await system.callAs(owner, restoreVersion, earlier)).toMatchObject({ number: 3 });
    expect(await system.callAs(owner, moveWorkflow, { params, body: { space: other } })).toMatchObject({
      space_info: other,
    });
  });
});
