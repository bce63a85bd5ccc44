import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { createSecretVariable } from '@millrace/contracts/workflows/secrets';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { revealAs } from '../../testing/reveal-as.js';
import { makeMasterKey, readKeyFile, writeKeyFile } from './master-keys.js';
import { rotateSecrets, type Rotation } from './rotate-secrets.js';

let folder: string;
let keyFile: string;
let system: System;
let owners: Caller[];
let revealing: ReturnType<typeof revealAs>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rotate-'));
  keyFile = join(folder, 'keys.json');
  writeKeyFile(keyFile, [makeMasterKey()]);
  system = await startApps([start], { SECRETS_KEY_FILE: keyFile });
  revealing = revealAs(await system.fake('runs'));
  owners = Array.from({ length: 5 }, () => ownerCaller());
  for (const owner of owners) await set(owner, 'TOKEN', `secret of ${owner.vault}`);
});
afterEach(async () => {
  await system.close();
  rmSync(folder, { recursive: true });
});

const set = (caller: Caller, name: string, value: string) =>
  system.callAs(caller, createSecretVariable, { body: { name, value, scope_type: 'vault' } });

const read = async (owner: Caller, name = 'TOKEN') => (await revealing.reveal(owner, newId(), name)).values[name];

const expectAllReadable = async () => {
  for (const owner of owners) expect(await read(owner)).toBe(`secret of ${owner.vault}`);
};
const rotate = (more: Partial<Rotation> = {}) =>
  rotateSecrets({
    ...{
      server: { url: String(system.database.logins['DATABASE_URL_WORKFLOWS']) },
      keyFile,
      secret: String(system.env['MILLRACE_SECRET']),
      batch: 2,
    },
    ...more,
  });
const masters = async () =>
  (await system.database.query<{ id: string }>('SELECT DISTINCT master_key AS id FROM workflows.data_key')).map(
    ({ id }) => id,
  );
const wrappedKeys = () => system.database.query('SELECT vault_id, wrapped FROM workflows.data_key ORDER BY vault_id');
const idsIn = (file: string) => readKeyFile(file).map(({ id }) => id);

describe('a rotation of master keys', () => {
  it('replaces the master key while the service runs', async () => {
    const before = idsIn(keyFile);
    expect(await rotate()).toEqual({ wrapped: 5, vaults: 0, failed: [], removed: 1 });
    const after = idsIn(keyFile);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    expect(await masters()).toEqual(after);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    await expectAllReadable();
    const late = ownerCaller();
    await set(late, 'TOKEN', 'later');
    expect(await masters()).toEqual(after);
    expect(await read(late)).toBe('later');
  });

  it('gives each vault a new data key on request', async () => {
    const stored = () => system.database.query('SELECT id, value FROM workflows.secret_variable ORDER BY id');
    const [keys, values] = [await wrappedKeys(), await stored()];
    expect(await rotate({ dataKeys: true })).toEqual({ wrapped: 5, vaults: 5, failed: [], removed: 1 });
    expect(await wrappedKeys()).not.toEqual(keys);
    expect(await stored()).not.toEqual(values);
    await expectAllReadable();
  });

  it('keeps the values of runs readable, and processes large vaults in batches', async () => {
    const [owner] = owners as [Caller];
    const run = newId();
    const reveal = () => revealing.revealTo(run, owner, newId(), 'TOKEN', 'V1', 'V250');
    for (const at of Array(250).keys()) await set(owner, `V${at + 1}`, String(at).repeat(at === 249 ? 10_000 : 1));
    const before = await reveal();
    expect(before.values['V250']).toHaveLength(30_000);
    await rotate({ dataKeys: true });
    expect(await reveal()).toEqual(before);
    expect((await read(owner, 'V250'))?.length).toBe(30_000);
  });

  it('reports a vault that cannot be decrypted, and continues with the others', async () => {
    const { vault } = owners[2] as Caller;
    await system.database.query("UPDATE workflows.secret_variable SET value = 'x' WHERE vault_id = $1", [vault]);
    const failed = [{ vault, reason: expect.stringMatching(/^the variable .* cannot be decrypted$/) }];
    expect(await rotate({ dataKeys: true })).toEqual({ wrapped: 5, vaults: 4, failed, removed: 1 });
    owners.splice(2, 1);
    await expectAllReadable();
  });

  it('replaces the key that is derived from the installation’s secret', async () => {
    const own = await startApps([start]);
    const file = join(folder, 'first.json');
    try {
      const owner = ownerCaller();
      const body = { name: 'TOKEN', value: 'before', scope_type: 'vault' as const };
      await own.callAs(owner, createSecretVariable, { body });
      const secret = String(own.env['MILLRACE_SECRET']);
      await rotateSecrets({
        server: { url: String(own.database.logins['DATABASE_URL_WORKFLOWS']) },
        keyFile: file,
        secret,
      });
      const rows = await own.database.query<{ id: string }>('SELECT master_key AS id FROM workflows.data_key');
      expect(rows.map(({ id }) => id)).toEqual(idsIn(file));
    } finally {
      await own.close();
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'that is killed at step %i loses nothing, and completes when it is run again',
    async (at) => {
      let steps = 0;
      const onStep = () => {
        if (++steps === at) throw new Error('killed');
      };
      await rotate({ dataKeys: true, onStep }).then(
        () => expect(steps).toBeLessThan(at),
        (error: Error) => expect(error.message).toBe('killed'),
      );
      await expectAllReadable();
      const late = ownerCaller();
      await set(late, 'TOKEN', `secret of ${late.vault}`);
      owners.push(late);
      await rotate({ dataKeys: true });
      expect(idsIn(keyFile)).toHaveLength(1);
      expect(await masters()).toEqual(idsIn(keyFile));
      await expectAllReadable();
    },
  );

  it('loses nothing while other rotations run and variables are created', async () => {
    const late = Array.from({ length: 20 }, () => ownerCaller());
    const making = (async () => {
      for (const owner of late)
        await Promise.all([set(owner, 'TOKEN', `secret of ${owner.vault}`), set(owner, 'B', 'b')]);
    })();
    await Promise.all([rotate({ dataKeys: true }), rotate(), rotate({ dataKeys: true })]);
    await making;
    await rotate();
    owners.push(...late);
    expect(await masters()).toEqual(idsIn(keyFile));
    await expectAllReadable();
    expect(await Promise.all(late.map((owner) => read(owner, 'B')))).toEqual(late.map(() => 'b'));
  });
});

describe('a key file', () => {
  it('that is damaged stays unchanged, and the error names it without its content', async () => {
    const damaged = readFileSync(keyFile, 'utf8').slice(0, -20);
    writeFileSync(keyFile, damaged);
    await expect(rotate()).rejects.toThrow(keyFile);
    await expect(rotate()).rejects.not.toThrow(/"key"/);
    expect(readFileSync(keyFile, 'utf8')).toBe(damaged);
  });
});
