import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { findHelm } from './find-helm.js';
import type { KubernetesObject } from './kubernetes-object.js';

export const CHART = join(import.meta.dirname, '../millrace');
/** Sets of values that the chart is tested with. They are examples for users, too. */
export const VALUES = ['minimal', 'full', 'gateway-api', 'fleets', 'prometheus', 'plain', 'jobs'] as const;
export type ValuesName = (typeof VALUES)[number];

export const valuesFile = (name: ValuesName): string => join(CHART, 'ci', `${name}-values.yaml`);

/** Runs Helm. It connects to no cluster. @throws Error with what Helm wrote, if it fails */
export async function runHelm(...args: string[]): Promise<string> {
  // Helm would look for a cluster and for plugins of the user.
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', KUBECONFIG: '/nonexistent' };
  const { stdout } = await promisify(execFile)(await findHelm(), args, { env, maxBuffer: 2 ** 26 });
  return stdout;
}

/** Renders the release `test` in the namespace `millrace`. @returns its objects, hooks included */
export async function renderChart(name: ValuesName, ...args: string[]): Promise<KubernetesObject[]> {
  const text = await runHelm('template', 'test', CHART, '--namespace', 'millrace', '-f', valuesFile(name), ...args);
  return parseObjects(text);
}

export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    const content = document.toJS() as KubernetesObject | null;
    return content === null ? [] : [content];
  });
}
