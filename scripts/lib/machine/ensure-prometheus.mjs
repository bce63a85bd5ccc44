import { join } from 'node:path';
import { findCommand } from './find-command.mjs';
import { unpackDebianPackage } from './unpack-debian-package.mjs';

/** @typedef {{ prometheus: string, promtool: string }} PrometheusPrograms */

/**
 * The programs of Prometheus, which tests use: those of the machine or, on Debian, those of its package. That is not installed,
 * because it would start a service.
 * @returns {Promise<PrometheusPrograms>}
 */
export async function ensurePrometheus() {
  const [prometheus, promtool] = [findCommand('prometheus'), findCommand('promtool')];
  if (prometheus && promtool) return { prometheus, promtool };
  const folder = join(await unpackDebianPackage('prometheus', 'usr/bin/promtool'), 'usr', 'bin');
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
}
