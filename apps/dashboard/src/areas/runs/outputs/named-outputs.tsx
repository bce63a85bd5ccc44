import { useInfiniteQuery } from '@tanstack/react-query';
import type { Run } from '@millrace/client';
import { PanelSection } from '../run/panel-section.js';
import { DownloadAll } from './download-all.js';
import { OutputList } from './output-list.js';
import { outputsQuery } from './outputs-query.js';

/** The named outputs of a run: what the workflow is there for. */
export function NamedOutputs({ run }: { run: Run }) {
  const query = outputsQuery({ run: run.id, named: true });
  const { data } = useInfiniteQuery({ ...query, enabled: run.finished });
  if (!run.finished || !data || data.pages[0]?.count === 0) return null;
  return (
    <PanelSection title="Outputs" actions={<DownloadAll run={run.id} named list={query} />}>
      <OutputList query={query} withNode empty="" />
    </PanelSection>
  );
}
