import { useQuery } from '@tanstack/react-query';
import type { Run, Subjob } from '@millrace/client';
import { Copyable } from '../../../ui/copyable.js';
import { PanelSection } from '../run/panel-section.js';
import { readProgram } from './read-program.js';
import { versionQuery } from './subjob-query.js';

/** What a step executes: its script, or its command line with the values that it ran with. */
export function ProgramSection({ run, subjob }: { run: Run; subjob: Subjob }) {
  const { data: version } = useQuery(versionQuery(run.workflow_info, run.workflow_version_info));
  const program = version && readProgram(version.data, subjob.node, subjob.params);
  if (!program) return null;
  return (
    <PanelSection
      title={program.title}
      actions={program.image !== undefined && <span className="font-mono text-xs text-muted">{program.image}</span>}
    >
      <Copyable text={program.text} />
    </PanelSection>
  );
}
