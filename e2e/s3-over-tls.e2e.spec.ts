import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startS3, type TestS3 } from '@millrace/storage/testing/start-s3';
import { bindNode, makeTable, readRows, waitForLoad } from './support/live-table.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { makeWorkflow, readFilePort, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { makeCertificates } from './support/tls-servers.js';

let folder: string;
let s3: TestS3;
let proxy: Server;
let system: OwnSystem;
let account: Account;

/** An S3 server behind a proxy whose certificate is of an authority that only `NODE_EXTRA_CA_CERTS` names. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-s3-tls-'));
  await makeCertificates(folder, ['127.0.0.1']);
  s3 = await startS3();
  proxy = startProxy(Number(new URL(s3.endpoint).port));
  await once(proxy, 'listening');
  const endpoint = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const settings = { STORAGE_URL: `s3://objects?endpoint=${endpoint}`, ...s3.credentials };
  system = await startOwnSystem(
    { ...settings, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    { separate: ['gateway', 'worker', 'datasets'] },
  );
  account = await signUp(system.url);
});
afterAll(async () => {
  await system?.stop();
  proxy?.close();
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

function startProxy(port: number): Server {
  const read = (name: string) => readFileSync(join(folder, name));
  const server = createServer({ cert: read('server.pem'), key: read('server-key.pem') }, (client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  // A client that does not trust the certificate.
  server.on('tlsClientError', () => undefined);
  return server.listen(0, '127.0.0.1');
}

it('the gateway and workers store and read files, and datasets loads outputs', async () => {
  await account.client.files.upload('in/words.txt', new Blob(['one\ntwo\n']));
  const draft = {
    nodes: {
      'count-1': script('wc -l < in/http-input-1/words.txt; cp in/http-input-1/words.txt out/copy.txt'),
      'rows-1': script(
        String.raw`while read -r word; do printf '{"word": "%s"}\n' "$word"; done < in/count-1/copy.txt`,
      ),
    },
    inputs: { 'http-input-1': { type: 'FILE', label: 'words' } },
    edges: [
      ['http-input-1/output', 'count-1/file'],
      ['count-1/folder', 'rows-1/folder'],
    ] as [string, string][],
  };
  const table = await makeTable(account);
  const workflow = await makeWorkflow(account, draft);
  await bindNode(account, workflow, table, 'rows-1');
  const started = await account.client.workflows.run(workflow, { inputs: { words: 'millrace://file/in/words.txt' } });
  expect(await waitForEnd(account.client, started.id)).toMatchObject({ status: 'COMPLETED' });
  expect(await readFilePort(account.client, started.id, 'count-1')).toBe('2\n');
  await waitForLoad(account.client, table, started.id);
  expect(await readRows(account.client, table)).toMatchObject([{ word: 'one' }, { word: 'two' }]);
});

it('a backup copies the objects, and without the authority fails with the setting that is missing', async () => {
  const backups = join(folder, 'backups');
  expect(await system.runScript(['backup.mjs', backups, '--verify'])).toContain('The backup is complete.');
  const untrusted = system.runScript(['backup.mjs', join(folder, 'other')], { NODE_EXTRA_CA_CERTS: '' });
  await expect(untrusted).rejects.toMatchObject({ stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
});
