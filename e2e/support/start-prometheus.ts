import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@millrace/testkit/free-port';
import { REPOSITORY } from './repository.js';

const run = promisify(execFile);

export interface Prometheus {
  /** Reads a path of its API, such as `/rules`. */
  read(path: string): Promise<ApiResponse>;
  query(expression: string): Promise<ApiResponse>;
  stop(): Promise<void>;
}

export interface ApiResponse {
  status: 'success' | 'error';
  error?: string;
  data: Record<string, unknown> & { result?: { metric: Record<string, string>; value: [number, string] }[] };
}

/**
 * Starts Prometheus with the alert rules of the repository. It scrapes each second, and alerts fire at once instead of after
 * minutes.
 * @param ports health port of each service
 */
export async function startPrometheus(ports: ReadonlyMap<string, number>): Promise<Prometheus> {
  const { prometheus } = await findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-prometheus-'));
  const rules = readFileSync(join(REPOSITORY, 'deploy/observability/alerts.yml'), 'utf8');
  writeFileSync(join(folder, 'alerts.yml'), rules.replaceAll(/^( +for:) \w+$/gm, '$1 0s'));
  // JSON is YAML as well.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configure(ports)));
  const port = await freePort();
  const child = spawn(
    prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { signal: AbortSignal.timeout(10_000) });
    return (await response.json()) as ApiResponse;
  };
  return {
    read,
    query: (expression) => read(`/query?${new URLSearchParams({ query: expression }).toString()}`),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configure = (ports: ReadonlyMap<string, number>) => ({
  global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
  rule_files: ['alerts.yml'],
  scrape_configs: [
    {
      job_name: 'millrace',
      static_configs: [...ports].map(([job, port]) => ({ targets: [`127.0.0.1:${port}`], labels: { job } })),
    },
  ],
});

/** The programs of the machine, or of Debian's package. */
async function findPrograms(): Promise<{ prometheus: string; promtool: string }> {
  const module = pathToFileURL(join(REPOSITORY, 'scripts/lib/machine/ensure-prometheus.mjs')).href;
  const source = `import { ensurePrometheus } from '${module}'; console.log(JSON.stringify(await ensurePrometheus()));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source]);
  return JSON.parse(stdout) as { prometheus: string; promtool: string };
}

/** @returns what `promtool check metrics` finds at fault in the metrics of a process */
export async function checkMetrics(metrics: string): Promise<string> {
  const { promtool } = await findPrograms();
  const child = spawn(promtool, ['check', 'metrics']);
  child.stdin.end(metrics);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
}
