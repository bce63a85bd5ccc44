import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StubCluster } from './stub-cluster.js';
import type { StoredObject } from './stub-store.js';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(REPOSITORY, path)).href);

/** Starts a cluster for a suite. It checks objects as the tests of the chart do. */
export async function startStubCluster(): Promise<StubCluster> {
  const { findProblems } = (await load('deploy/helm/testing/find-problems.ts')) as {
    findProblems(this: void, object: StoredObject): string[];
  };
  const { makeCertificates } = (await load('scripts/lib/test/make-certificates.mjs')) as {
    makeCertificates(this: void, folder: string): void;
  };
  const { ensureBusybox } = (await load('scripts/lib/machine/ensure-busybox.mjs')) as {
    ensureBusybox(this: void): Promise<string>;
  };
  const folder = mkdtempSync(join(tmpdir(), 'millrace-stub-'));
  try {
    makeCertificates(folder);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const certificates = { ca: read('ca.pem'), cert: read('server.pem'), key: read('server-key.pem') };
    return await StubCluster.start({ certificates, busybox: await ensureBusybox(), findProblems });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
