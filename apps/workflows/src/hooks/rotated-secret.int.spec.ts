import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fireHook, rotateHook } from '@millrace/contracts/workflows/hooks';
import { ownerCaller } from '@millrace/testkit/callers';
import { fakeRuns, type FakeRuns } from '@millrace/testkit/fake-runs';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { makeMasterKey, writeKeyFile } from '../secrets/keys/master-keys.js';
import { rotateSecrets } from '../secrets/keys/rotate-secrets.js';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';

let folder: string;
let keyFile: string;
let system: System;
let runs: FakeRuns;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hook-keys-'));
  keyFile = join(folder, 'keys.json');
  writeKeyFile(keyFile, [makeMasterKey()]);
  system = await startApps([start], { SECRETS_KEY_FILE: keyFile });
  runs = await fakeRuns(system);
});
afterAll(async () => {
  await system.close();
  rmSync(folder, { recursive: true });
});

it('the signing secret of a hook still verifies calls after it was encrypted with a new data key', async () => {
  const caller = ownerCaller();
  runs.callers.set(caller.user, caller);
  const { id } = await seedAs(system.callAs, caller).saved();
  const secret = 'hook-secret-to-rotate';
  const body = { signature: { scheme: 'hmac' as const, header: 'X-Sign', secret } };
  const { token } = await system.callAs(caller, rotateHook, { params: { id }, body });
  const stored = () => system.database.query('SELECT signature_secret FROM workflows.hook');
  const before = await stored();
  const server = { url: String(system.database.logins['DATABASE_URL_WORKFLOWS']) };
  const rotated = await rotateSecrets({
    ...{ server, keyFile, secret: String(system.env['MILLRACE_SECRET']), dataKeys: true },
  });
  expect(rotated).toMatchObject({ vaults: 1, failed: [] });
  expect(await stored()).not.toEqual(before);
  const callHook = (sign: string) =>
    system.callAs(
      null,
      fireHook,
      { params: { token }, body: { payload: Buffer.from('{}').toString('base64') } },
      { headers: { 'x-sign': sign } },
    );
  expect(await callHook(createHmac('sha256', secret).update('{}').digest('hex'))).toMatchObject({
    run: expect.any(String),
  });
  await expect(callHook('0')).rejects.toMatchObject({ code: 'unauthenticated' });
});
