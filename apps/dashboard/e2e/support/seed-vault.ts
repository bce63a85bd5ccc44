import { createSample } from '../../src/sample/create-sample.js';
import type { Account } from './test.js';

const PROBES = `millrace: 1
name: Probe hosts
description: Fails for some of its items
data:
  nodes:
    list-1: { type: SCRIPT, script: { source: seq 1 60 } }
    probe-1:
      type: SCRIPT
      distribution: { input: file, mode: line }
      script:
        source: |
          n=$(cat in/list-1/*)
          echo "probing host-$n.example.org"
          if [ $((n % 20)) = 7 ]; then echo "connection refused by host-$n.example.org" >&2; exit 3; fi
          echo "host-$n.example.org open 443"
    report-1: { type: SCRIPT, script: { source: "cat in/probe-1/*/output.txt | sort" } }
  connections:
    - { from: list-1/file, to: probe-1/file }
    - { from: probe-1/folder, to: report-1/folder }
`;

/** What `seedVault` creates, as ids. */
export interface SeededVault {
  workflow: string;
  table: string;
  /** Two runs of the sample workflow, which loaded the table. */
  runs: [string, string];
  failed: { workflow: string; run: string; subjob: string };
  module: string;
  snapshot: string;
}

/** Fills the vault of an account, so that none of its pages is empty. */
export async function seedVault({ client, space }: Account): Promise<SeededVault> {
  const { workflow, table } = await createSample(client, space);
  const runs = [await client.workflows.run(workflow), await client.workflows.run(workflow)] as const;
  const { id: failing } = await client.workflows.import({ yaml: PROBES }, { query: { space } });
  await client.schedules.set(failing, { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' });
  const { id: failed } = await client.workflows.run(failing);
  await client.files.upload('lists/hosts.txt', new Blob(['a.example.org\nb.example.org\n']));
  const { id: snapshot } = await client.snapshots.create(workflow, { workflow_version_info: 'latest' });
  const { results: modules } = await client.modules.list({ page_size: 1 });
  await Promise.all([...runs.map(({ id }) => id), failed].map((run) => client.runs.wait(run)));
  const { results: subjobs } = await client.subjobs.list(failed, { status: 'FAILED', page_size: 1 });
  return {
    ...{ workflow, table, snapshot, module: modules[0]?.id ?? '' },
    runs: [runs[0].id, runs[1].id],
    failed: { workflow: failing, run: failed, subjob: subjobs[0]?.id ?? '' },
  };
}

/** The paths of all pages for signed-in users, by a name for their picture. */
export const pagesOf = ({ workflow, table, runs, failed, module, snapshot }: SeededVault): Record<string, string> => ({
  home: '/',
  workflows: '/workflows',
  editor: `/workflows/${workflow}`,
  'editor-yaml': `/workflows/${workflow}?view=yaml`,
  'workflow-runs': `/workflows/${workflow}/runs`,
  runs: '/runs',
  run: `/runs/${runs[0]}`,
  'run-failed': `/runs/${failed.run}`,
  'run-failed-graph': `/runs/${failed.run}?view=graph`,
  'run-failed-child': `/runs/${failed.run}?subjob=${failed.subjob}`,
  'run-comparison': `/runs/${runs[0]}/compare/${runs[1]}`,
  tables: '/tables',
  table: `/tables/${table}`,
  'table-changes': `/tables/${table}?tab=changes`,
  'table-loads': `/tables/${table}?tab=loads`,
  'table-columns': `/tables/${table}?tab=columns`,
  'table-chart': `/tables/${table}?tab=chart`,
  library: '/library',
  module: `/library/modules/${module}`,
  snapshot: `/library/workflows/${snapshot}`,
  files: '/files?folder=lists',
  schedules: '/schedules',
  notifications: '/notifications',
  'notification-settings': '/notifications?tab=settings',
  'settings-profile': '/settings/profile',
  'settings-security': '/settings/security',
  'settings-sessions': '/settings/sessions',
  'settings-developer': '/settings/developer',
  device: '/device',
});
